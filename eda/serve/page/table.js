// The table beside the talk: open texts and who stands where on each, what was decided and how each voted, what is closed.
import { $, badge, linked, make, page, people, person, say, words } from "./parts.js";
import { moves } from "./acts.js";

const row = (label, ...inside) => make("p", { className: "stand" }, make("span", { className: "quiet", textContent: label }), ...inside);
const keyed = (key, node) => { node.dataset.key = key; return node; };
const fold = (head, ...inside) => make("details", {}, make("summary", { textContent: head }), ...inside);

// What a voter wrote, all of a ballot that could not be read, too: a long one is folded.
const wrote = (textContent) => textContent.length > 300 ? fold(`${textContent.slice(0, 60)} …`, make("q", { textContent })) : make("q", { textContent });

const step = (one, place, all) => make("li", { className: place === all.length - 1 ? "last" : "" },
  make("div", { className: "step" }, make("b", { textContent: one.id }), one.by ? person(one.by) : make("span", { className: "quiet", textContent: words["given-long"] }),
    one.message ? make("span", { className: "quiet" }, ...linked(`m${one.message}`)) : "", make("span", { className: "became", textContent: one.became })),
  make("p", { className: "wording" }, ...parts(one.parts)));

const parts = (each) => each.map(([words, how]) => (how === "same" ? words : make(how === "in" ? "ins" : "del", { textContent: words })));
const unspoken = (one) => Object.keys(one.stands).every((word) => word === "silent");
const text = (one) => make("section", { className: "version", id: one.id },
  make("h3", {}, one.text.replace(/\.$/, "") === one.title ? "" : make("span", { className: "title", textContent: one.title }), make("span", { className: "quiet" }, `${one.id}, `, ...linked(one.by ? `${one.by}, m${one.message}` : words["given-short"]), ...(one.made_of.length ? linked(`, ${say(one.joins ? "joins" : "amends", { texts: one.made_of.join(", ") })}`) : [])),
    make("span", { className: "quiet count", textContent: unspoken(one) ? words.unspoken : say("n-for", { n: one.for, of: one.of }) })),
  make("p", { className: "wording" }, ...parts(one.parts)),
  reworded(one) ? make("p", { className: "mine-reworded", textContent: words.reworded }) : "",
  ...Object.entries(unspoken(one) ? {} : one.stands).map(([word, who]) => row(words[`stand-${word}`], people(who, word === "silent"))), moves(one));
const card = (one) => make("article", { className: "card" }, ...one.texts.map(text),
  ...one.older.map((each) => row(say("for-older", { text: each.id, why: each.why }), people(each.who))),
  one.steps.length > 1 ? keyed(one.id, fold(say("made-in", { n: one.steps.length }), make("ol", { className: "rail" }, ...one.steps.map(step)))) : "");

// What somebody points at, or has the focus in, or else reads, stays where it is when the table changes.
const staying = () => {
  const top = $("table").getBoundingClientRect().top, all = [...$("cards").querySelectorAll(".version")];
  const kept = all.find((each) => each.matches(":hover")) ?? all.find((each) => each.contains(document.activeElement)) ?? all.find((each) => each.getBoundingClientRect().bottom > top);
  const was = kept?.getBoundingClientRect().top;
  return () => { const now = kept && $(kept.id); if (now && $("table").scrollTop) $("table").scrollTop += now.getBoundingClientRect().top - was; };
};

export const drawTable = (said) => {
  const rest = (head) => said.rest[head] ? [make("section", { className: "rest" }, make("h3", { textContent: words[`rest-${head}`] }), ...said.rest[head].map((line) => make("p", {}, ...linked(line))))] : [];
  const open = [...$("cards").querySelectorAll("details[open]")].map((each) => each.dataset.key);
  const accepted = said.closed.filter((one) => one.accepted).length;
  const closed = keyed("closed", fold([accepted && say("n-accepted", { n: accepted }), said.closed.length - accepted && say("n-closed", { n: said.closed.length - accepted })].filter(Boolean).join(", "), make("ul", {}, ...said.closed.map((one) =>
    make("li", { id: one.id }, make("b", { textContent: one.id }), ` ${one.text} `, make("span", { className: "quiet", textContent: [one.by, one.why].filter(Boolean).join(", ") }))))));
    const stay = staying(), count = said.cards.reduce((sum, each) => sum + each.texts.length, 0);
  const focused = document.activeElement?.getAttribute("aria-label");
  $("cards").replaceChildren(
    make("h2", {}, page.past ? say("table-at", { message: `m${page.past}` }) : words.table, make("span", { className: "quiet", textContent: say("n-open", { n: count }) })), page.seat && page.live ? make("p", { className: "quiet openly", textContent: words.openly }) : "",
    ...(page.past || !$("verdict").childElementCount ? rest("decided") : []), ...said.cards.map(card),
    ...["claimed", "asked", "unsourced"].flatMap(rest), said.closed.length ? closed : "",
    ...(said.cards.length || said.closed.length || Object.keys(said.rest).length ? [] : [make("p", { className: "quiet", textContent: words["no-text"] })]));
  for (const each of $("cards").querySelectorAll("details")) each.open = open.includes(each.dataset.key);  // what somebody opened stays open, and what has the focus keeps it
  if (focused) [...$("cards").querySelectorAll("button")].find((each) => each.getAttribute("aria-label") === focused)?.focus({ preventScroll: true });
  stay();
  drawForMe();
};

// Other wordings of a text of the person's, on which they have said nothing yet.
const reworded = (one) => page.seat && page.live && one.by !== page.seat && (one.stands.silent ?? []).some((each) => each.who === page.seat)
  && [...page.table.closed, ...page.table.cards.flatMap((each) => each.texts)].some((each) => each.by === page.seat && one.made_of.includes(each.id));
// What is on the other side of a phone's page, and how much of that waits for this person.
export const drawForMe = () => {
  const texts = page.table.cards.flatMap((each) => each.texts), waits = texts.filter(reworded).length + page.votes;
  $("tab-table").replaceChildren(page.verdict ? words.verdict : `${words.table} · ${texts.length}`, waits ? make("b", { className: "for-me", textContent: say("for-you", { n: waits }) }) : "");
};

const MOST = 12;
const slots = (who, of) => of > MOST ? make("progress", { max: of, value: who.length }) : make("span", { className: "slots" },
  ...who.map((each) => make("span", { title: each }, badge(each), make("span", { className: "skip", textContent: each }))), ...Array.from({ length: of - who.length }, () => make("span")));

// How an ended debate decided, as its report tells it; empty where it has not. What it hinges on is open while it grows.
let hinged = null;
export const drawVerdict = (said) => {
  page.verdict = said.rows.length > 0;
  if (page.table) drawForMe();
  if (!said.rows.length) return $("verdict").replaceChildren();
  const of = new Set(said.rows.flatMap((each) => each.who)).size;
  const cell = (marks) => make("td", {}, ...marks.flatMap((one, at) => [at ? " = " : "", make("span", { className: one.label === "–" ? "mark empty" : "mark", title: one.title }, make("span", { textContent: one.label }))]));
  const votes = make("table", {}, make("thead", {}, make("tr", {}, ...[words.member, ...said.columns].map((textContent) => make("th", { scope: "col", textContent })))),
    make("tbody", {}, ...Object.entries(said.votes).map(([who, each]) => make("tr", {}, make("th", { scope: "row" }, person(who)), ...each.map(cell)))));
  const told = said.hinges.join("\n"), grows = hinged !== null && told !== hinged;
  hinged = told;
  const open = [...$("verdict").querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  $("verdict").replaceChildren(make("h2", { textContent: words[said.texts.length ? "decided" : "undecided"] }), make("p", { className: "verdict", textContent: said.head }),
    ...said.lines.map((line) => make("p", {}, ...linked(line))),
    ...said.texts.map((one) => make("p", { className: "wording" }, make("b", { textContent: one.id }), ` ${one.text}`)),
    ...said.followed.map((line) => make("p", { textContent: line })),
    ...said.rows.map((one) => make("div", { className: "tallied" }, make("p", {}, one.label ? make("b", { textContent: one.label }) : "", ` ${one.text}`), slots(one.who, of),
      make("span", { className: "number", textContent: one.votes ?? one.who.length }))),
    ...Object.entries(said.parts).map(([textContent, lines]) => make("section", { className: "rest" }, make("h3", { textContent }), ...lines.map((line) => make("p", {}, ...linked(line))))),
    Object.keys(said.votes).length ? fold(words["first-when"], votes) : "",
    said.ballots.length ? fold(words.ballots, make("ul", {}, ...said.ballots.map((each) => make("li", {}, person(each.who), " ", each.why ? wrote(each.why) : "", make("span", { className: "quiet" }, ...linked(` ${each.did}`)))))) : "",
    said.hinges.length ? fold(words.hinges, make("ul", {}, ...said.hinges.map((line) => make("li", {}, ...linked(line))))) : "");
  for (const each of $("verdict").querySelectorAll("summary")) each.parentElement.open = open.includes(each.textContent) || (grows && each.textContent === words.hinges);
};
