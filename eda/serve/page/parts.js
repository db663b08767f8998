// What every part of a session's page uses. All text goes in as text: nothing that a model, a member or a file wrote is markup here.
export const base = `/s/${encodeURIComponent(document.body.dataset.session)}`;
export const $ = (id) => document.getElementById(id);

// What the page knows: badges by name, the seat taken here, whether this server runs the debate, the last message, and the message looked back at (0: none).
export const page = { badges: {}, seat: "", live: false, last: 0, past: 0, table: null, status: null };

export const make = (tag, given = {}, ...inside) => {
  const node = Object.assign(document.createElement(tag), given);
  node.append(...inside.filter((each) => each !== null && each !== ""));
  return node;
};
export const badge = (who) => {
  const one = page.badges[who];
  if (!one) return "";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("viewBox", "0 0 22 22");
  use.setAttribute("href", `#${one.shape}`);
  svg.append(use);
  const mark = make("span", { className: `badge c${one.colour}` }, svg, make("b", { textContent: one.initials }));
  mark.setAttribute("aria-hidden", "true");
  return mark;
};
export const person = (who, role = false) =>
  make("span", { className: "who" }, badge(who), who, role && page.badges[who]?.role ? make("small", { textContent: page.badges[who].role }) : "");

// Text with links to the messages that it names.
export const linked = (text) => {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(/(?<![\w.@-])m(\d{1,6})(?![\w@-])/g)) {
    if (Number(match[1]) > page.last) continue;
    parts.push(text.slice(from, match.index), make("a", { href: `#${match[0]}`, textContent: match[0] }));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
};

export const fault = (text) => { $("error").textContent = text; $("error").hidden = !text; };
export const act = async (what, text = "", more = {}) => {
  fault("");
  try {
    const answer = await fetch(`${base}/do`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: what, text, ...more }) });
    const said = await answer.json();
    if (!answer.ok) throw new Error([said.error, said.hint].filter(Boolean).join(" "));
    return true;
  } catch (error) {
    fault(error.message);
    return false;
  }
};
