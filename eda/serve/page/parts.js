// What every part of a session's page uses. All text goes in as text: nothing that a model, a member or a file wrote is markup here.
export const base = `/s/${encodeURIComponent(document.body.dataset.session)}`;
// The words of the page in the language of the debate; `say` fills in what stands in braces.
export const words = JSON.parse(document.body.dataset.words);
export const say = (key, data) => Object.entries(data).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, () => value), words[key]);
export const $ = (id) => document.getElementById(id);

// What the page knows: badges by name, the seat taken here, whether this server runs the debate, the last message and the last fact,
// and the message looked back at (0: none).
export const page = { badges: {}, seat: "", owner: false, closed: false, live: false, last: 0, seq: 0, past: 0, table: null, status: null, votes: false, verdict: false, titles: {}, cited: new Map() };

export const make = (tag, given = {}, ...inside) => {
  const node = Object.assign(document.createElement(tag), given);
  node.append(...inside.filter((each) => each !== null && each !== ""));
  return node;
};
export const badge = (who, hollow = false) => {
  const one = page.badges[who];
  if (!one) return "";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 22 22");
  svg.append(...[...$(one.shape).childNodes].map((each) => each.cloneNode()));  // a <use> of it takes the browser five times as long
  const mark = make("span", { className: `badge c${one.colour}${hollow ? " hollow" : ""}` }, svg, make("b", { textContent: one.initials }));
  mark.setAttribute("aria-hidden", "true");
  return mark;
};
export const person = (who) => make("span", { className: "who" }, badge(who), who);

// Badges in a row; the names, and why, are there for a pointer and for a screen reader.
export const people = (each, hollow = false) => make("span", { className: "people" }, ...each.map(({ who, why = "" }) => {
  const title = why ? `${who}: ${why}` : who;
  return make("span", { title }, badge(who, hollow), make("span", { className: page.badges[who] ? "skip" : "", textContent: `${who} ` }));
}));

// Text with links to the messages that it names, by themselves (m12) or by a text that they put (p12.0).
// In a line of the record a text stands by its title.
export const linked = (text, titled = false) => {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(titled ? /(?<![\w.@-])(?:m(\d{1,6})|p(\d{1,6})[.@]\d{1,6}|o\d{1,2})(?![\w@-])/g : /(?<![\w.@-])(?:m(\d{1,6})|p(\d{1,6})[.@]\d{1,6})(?![\w@-])/g)) {
    const number = Number(match[1] ?? match[2] ?? page.last);
    if (!number || number > page.last) continue;
    const title = titled && page.titles[match[0]];
    parts.push(text.slice(from, match.index), make("a", { href: `#${match[0]}`, textContent: title || match[0], title: title ? match[0] : "" }));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
};

// Text in which the words that cite a document lead to its passage.
export const citing = (text, cites) => {
  const parts = [];
  for (const each of cites) {
    const at = text.indexOf(each.words);
    if (at < 0) continue;
    const link = make("a", { className: "cite", href: `${base}/documents#${each.document}.${each.line}.${each.last}`, textContent: each.words });
    parts.push(...linked(text.slice(0, at)), link);
    text = text.slice(at + each.words.length);
  }
  return [...parts, ...linked(text)];
};

// What is typed in a field is kept by this browser until `forget` is called: a reload or a crash loses no words.
export const keeps = (field, name) => {
  const key = `draft ${base} ${name}`, store = (does) => { try { return does(); } catch { return ""; } };
  if (!field.value) field.value = store(() => localStorage.getItem(key)) ?? "";
  field.oninput = () => store(() => field.value ? localStorage.setItem(key, field.value) : localStorage.removeItem(key));
};
export const forget = (field) => { field.value = ""; field.oninput?.(); };
export const fault = (text, at = $("error")) => { at.textContent = text; at.hidden = !text; };
// Returns the server's answer; shows its error and returns nothing where it refuses.
export const post = async (path, data, at = $("error")) => {
  fault("", at);
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
    const said = await answer.json().catch(() => ({ error: say("answered", { status: answer.status }) }));
    if (answer.ok) return said;
    fault([said.error, said.hint].filter(Boolean).join(". ").replace(/([.:?!])\. /, "$1 "), at);
  } catch {
    fault(words["no-server"], at);
  }
};
export const act = (what, text = "", more = {}) => post(`${base}/do`, { do: what, text, ...more });
