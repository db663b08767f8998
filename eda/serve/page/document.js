// The documents at the table: a citation opens one at its passage, and a person reads, searches and quotes it.
import { $, base, fault, linked, make, page, people, say, words } from "./parts.js";

const sheet = $("document"), MOST = 240;
let documents = null, at = 0, opener = null, quote = null, ask = null;
// Has `attach` called with a quotation and how it is shown, and `openSheet` to ask about one.
export const whenQuoted = (attach, openSheet) => { quote = attach; ask = openSheet; };

// Notes who cites which lines.
export const whenCited = ({ who, number, cites }) => {
  for (const { document, line, last } of cites) {
    for (let each = line; each && each <= last; each++) {
      const key = `${document}.${each}`, all = page.cited.get(key) ?? new Map();
      page.cited.set(key, all.set(number, who));
    }
  }
};

const button = (textContent, onclick, given = {}) => make("button", { type: "button", textContent, onclick, ...given });
const close = () => { sheet.close(); document.body.classList.remove("reading"); opener?.focus(); };
// Beside the talk it stays open; where it covers the talk it makes room.
const aside = () => { if (sheet.matches(":modal")) close(); };
const row = (number) => sheet.querySelector(`[data-line="${number}"]`);
const shown = (text) => `\u201c${text}\u201d`;

// What can be done with a line: it is quoted, whole or as far as it is marked, or asked about.
const choose = (number, last = number) => {
  for (const each of sheet.querySelectorAll(".chosen")) { each.classList.remove("chosen"); each.querySelector(".acts")?.remove(); }
  for (let each = number; each <= last; each++) row(each)?.classList.add("chosen");
  const chosen = row(number), all = [...page.cited.get(`${at}.${number}`) ?? []];
  if (!chosen) return;
  const passage = () => {
    const marked = getSelection().toString().trim(), lines = documents[at].lines.slice(number - 1, last).map(([text]) => text).join(" ").replace(/^[#\s*-]+/, "");
    const text = (marked && sheet.contains(getSelection().anchorNode) ? marked : lines).replace(/\s+/g, " ");
    return `${shown(text.length > MOST ? `${text.slice(0, MOST)}…` : text)} (${documents[at].name} ${documents[at].lines[number - 1][1]})`;
  };
  const uses = page.seat && page.live ? [button(words.quote, () => { const text = passage(); aside(); quote(text, text); }, { className: "main" }), button(words["ask-about"], () => { const question = passage(); aside(); ask("ask", { question }); })] : [];
  chosen.append(make("div", { className: "acts" }, ...uses, all.length ? make("span", { className: "quiet", onclick: (event) => event.target.matches("a") && aside() }, ...linked(say("cited-in", { messages: all.map(([message]) => `m${message}`).join(" ") }))) : ""));
  chosen.scrollIntoView({ block: "center" });
};

const draw = () => {
  const one = documents[at], search = make("input", { type: "search", placeholder: words["search-document"], autocomplete: "off" }), found = make("span", { className: "quiet" });
  found.setAttribute("role", "status");
  search.setAttribute("aria-label", words["search-document"]);
  let hits = [], hit = 0;
  const lines = make("ol", {}, ...one.lines.map(([text, place], index) => {
    const number = index + 1, who = [...new Set((page.cited.get(`${at}.${number}`) ?? new Map()).values())], node = make("li", {}, make("span", { className: "words", textContent: text.replace(/^#+ /, "") }), people(who.map((each) => ({ who: each }))));
    if (text.startsWith("#")) node.classList.add("heading");
    node.dataset.line = number;
    const pick = button(place, () => choose(number), { className: "place" });
    node.prepend(text ? pick : "");
    node.hidden = !text;
    return node;
  }));
  const look = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const each of lines.querySelectorAll("mark")) each.replaceWith(each.textContent);
    hits = wanted ? one.lines.flatMap(([text], index) => (text.toLowerCase().includes(wanted) ? [index + 1] : [])) : [];
    for (const number of hits) {
      const node = row(number).querySelector(".words"), text = node.textContent, from = text.toLowerCase().indexOf(wanted);
      if (from >= 0) node.replaceChildren(text.slice(0, from), make("mark", { textContent: text.slice(from, from + wanted.length) }), text.slice(from + wanted.length));
    }
    go(0);
  };
  const go = (to) => {
    hit = hits.length ? (to + hits.length) % hits.length : 0;
    found.textContent = search.value.trim() ? say("hits", { n: hits.length ? hit + 1 : 0, other: hits.length }) : "";
    if (hits.length) choose(hits[hit]);
  };
  const arrow = (textContent, key, by) => { const each = button(textContent, () => go(hit + by), { className: "arrow" }); each.setAttribute("aria-label", words[key]); return each; };
  search.addEventListener("input", look);
  search.addEventListener("keydown", (key) => { if (key.key === "Enter") go(hit + (key.shiftKey ? -1 : 1)); });
  const from = opener?.closest("article")?.id, others = documents.length > 1 ? make("select", { onchange: (event) => { at = Number(event.target.value); draw(); } }, ...documents.map((each, index) => new Option(each.name, index, false, index === at))) : "";
  if (others) others.setAttribute("aria-label", words.documents);
  sheet.replaceChildren(make("div", { className: "head" }, make("div", {}, make("h2", { id: "document-head", textContent: one.name, tabIndex: -1 }), make("span", { className: "quiet", textContent: [one.size, one.remark].filter(Boolean).join("; ") }), button(from ? say("back-to", { message: from }) : words["close-document"], close)),
    make("div", {}, others, search, found, arrow("↑", "hit-before", -1), arrow("↓", "hit-after", 1))), lines);
};

// Opens a document at lines; on a phone it takes the whole page.
export const openDocument = async (which, first, last, link) => {
  const got = documents ? null : await fetch(`${base}/documents`).then((answer) => answer.json()).catch(() => null);
  documents ??= got;
  if (!documents?.length) return fault(words["no-document"]);
  opener = link;
  at = which;
  draw();
  if (!sheet.open) { if (matchMedia("(max-width: 760px)").matches) sheet.showModal(); else sheet.show(); }
  document.body.classList.add("reading");
  sheet.querySelector("h2").focus();
  if (first) choose(first, last);
};
sheet.addEventListener("keydown", (key) => { if (key.key === "Escape") { key.preventDefault(); close(); } });
sheet.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
