// The ballot: one question at a time, which could you accept, which first, what beside it; then how it was read, and Send.
import { $, act, base, make, page, post, say, words } from "./parts.js";

const FOLDED = 40, FAR = 6;
let vote = null;
const asked = () => vote?.said.purpose;
const poll = () => asked() === "poll";
const text = (id) => vote.said.texts.find((each) => each.id === id);
const title = (id) => text(id).title;
const placed = () => vote.ranks.flat();
const steps = () => [poll() ? "hold" : "accept", !poll() && vote.accepted.size && (vote.said.scored ? "score" : vote.accepted.size > 1 && "order"), vote.said.beside.length && "beside", "send"].filter(Boolean);

// What the server is sent: ids, best first, equals with =, or figures; what is to be adopted beside it behind `also`.
const typed = () => {
  if (vote.words) return vote.words;
  if (vote.empty) return "";
  const order = vote.said.scored ? [...vote.accepted].map((id) => `${id} ${vote.scores[id] ?? 0}`).join(", ") : vote.ranks.map((rank) => rank.join(" = ")).join(" > ");
  return [order || "none", vote.beside.size && `also ${[...vote.beside].join(", ")}`].filter(Boolean).join(" ");
};

// Takes a text into the ranks, equal with the one it is a wording of, else with the others: an order is what the voter makes.
const accept = (id, is) => {
  if (poll()) { vote.accepted.clear(); vote.ranks = []; }
  vote.touched.add(id);
  if (is) vote.accepted.add(id); else vote.accepted.delete(id);
  vote.ranks = vote.ranks.map((rank) => rank.filter((each) => vote.accepted.has(each))).filter((rank) => rank.length);
  if (!is || placed().includes(id)) return;
  const with_ = vote.ranks.find((rank) => rank.some((each) => text(each).head === text(id).head)) ?? vote.ranks.at(-1);
  if (with_) with_.push(id); else vote.ranks.push([id]);
};

// Moves a text by a place: out of its equals, or past the rank beside it.
const move = (id, by) => {
  const at = vote.ranks.findIndex((rank) => rank.includes(id)), rank = vote.ranks[at], alone = rank.length === 1;
  if (alone && !vote.ranks[at + by]) return;
  vote.ranks[at] = rank.filter((each) => each !== id);
  vote.ranks.splice(alone ? (by < 0 ? at - 1 : at + 2) : (by < 0 ? at : at + 1), 0, [id]);
  settle(id);
};
const join = (at, id) => { vote.ranks[at - 1].push(...vote.ranks[at]); vote.ranks.splice(at, 1); settle(id); };
const tie = (id) => {
  const at = vote.ranks.findIndex((rank) => rank.includes(id));
  if (vote.ranks[at].length > 1) move(id, 1); else if (at) join(at, id);
};
// Puts a text where it was dropped: before another, behind it, or beside it as its equal.
const drop = (id, on, where) => {
  if (id === on) return;
  vote.ranks = vote.ranks.map((rank) => rank.filter((each) => each !== id)).filter((rank) => rank.length);
  const at = vote.ranks.findIndex((rank) => rank.includes(on));
  if (where === "equal") vote.ranks[at].push(id); else vote.ranks.splice(where === "before" ? at : at + 1, 0, [id]);
  settle(id);
};
const settle = (id) => {
  vote.ranks = vote.ranks.filter((rank) => rank.length);
  const at = vote.ranks.findIndex((rank) => rank.includes(id)), others = vote.ranks[at].filter((each) => each !== id).map(title).join(", ");
  draw(say(others ? "moved-equal" : "moved", { title: title(id), n: at + 1, other: others }));
};

const choice = (one, set, how, change) => {
  const kind = poll() && set === vote.accepted ? "radio" : "checkbox", about = `about-${one.id}`;
  const box = make("input", { type: kind, name: "text", value: one.id, checked: set.has(one.id) });
  box.setAttribute("aria-describedby", about);
  box.addEventListener("change", () => { change(box.checked); draw(); });
  const state = kind === "radio" || !(vote.touched.size || set !== vote.accepted) ? "" : set.has(one.id) ? how[0] : how[1];
  return [make("label", {}, box, make("span", { className: "name", textContent: one.title }), make("span", { className: `became${set.has(one.id) ? " is" : ""}`, textContent: state })), about];
};
const differences = (parts) => parts.map(([each, how]) => (how === "same" ? each : make(how === "in" ? "ins" : "del", { textContent: each })));
const fold = (key, head, label, ...inside) => {
  const each = make("details", { open: vote.open.has(key) }, make("summary", { textContent: head }), ...inside);
  if (label) each.firstChild.setAttribute("aria-label", label);
  each.addEventListener("toggle", () => vote.open[each.open ? "add" : "delete"](key));
  return each;
};
// A text with its words: long ones folded, and its other wordings below it as what they change.
const offered = (one, set, how, change, more = true) => {
  const [row, about] = choice(one, set, how, (is) => change(one.id, is)), count = one.text.split(/\s+/).length, long = count > FOLDED;
  const same = one.text.replace(/\.$/, "") === one.title, others = more ? vote.said.texts.filter((each) => each.head === one.id && each !== one) : [];
  const own = make("p", { className: "wording" }, ...(more ? [one.text] : differences(one.parts)));
  return make("li", {}, row, make("div", { id: about, className: "about" }, same && more || (long && more) ? "" : own, make("p", { className: "quiet", textContent: one.message ? `m${one.message}` : words.given })),
    long && more ? fold(`text ${one.id}`, say("whole", { n: count }), "", own) : "",
    others.length ? fold(`more ${one.id}`, say("wordings", { n: others.length }), say("wordings-label", { title: one.title, n: others.length }), make("ul", {}, ...others.map((each) => offered(each, set, how, change, false)))) : "");
};
const list = (ids, ...given) => make("ul", { className: "offered" }, ...vote.said.texts.filter((one) => ids.includes(one.id) && (one.head === one.id || !ids.includes(one.head))).map((one) => offered(one, ...given)));

const button = (textContent, onclick, given = {}) => make("button", { type: "button", textContent, onclick, ...given });
const toTable = () => button(words["show-table"], () => { $("cards").hidden = !$("cards").hidden; }, { className: "plain" });
const arrow = (id, by, off) => {
  const each = button(by < 0 ? "↑" : "↓", () => move(id, by), { disabled: off, className: "arrow" });
  each.setAttribute("aria-label", say(by < 0 ? "up" : "down", { title: title(id) }));
  each.dataset.key = `${by} ${id}`;
  return each;
};
const ranked = (id, at) => {
  const alone = vote.ranks[at].length === 1, grip = make("span", { className: "grip" }), row = make("div", { className: "ranked" }, grip, make("span", { className: "name", textContent: title(id) }),
    arrow(id, -1, alone && !at), arrow(id, 1, alone && at === vote.ranks.length - 1));
  grip.setAttribute("aria-hidden", "true");
  grip.addEventListener("pointerdown", (event) => dragging(event, id, row, grip));
  row.dataset.id = id;
  return row;
};
const dragging = (event, id, row, grip) => {
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  const from = event.clientY;
  let on = null, where = "";
  const clear = () => { for (const each of document.querySelectorAll("#vote [data-drop]")) delete each.dataset.drop; };
  grip.onpointermove = (at) => {
    clear();
    row.classList.toggle("held", Math.abs(at.clientY - from) > FAR);
    on = document.elementsFromPoint(at.clientX, at.clientY).map((each) => each.closest?.("#vote .ranked")).find((each) => each && each !== row);
    if (!on) return;
    const { top, height } = on.getBoundingClientRect(), part = (at.clientY - top) / height;
    where = part < 1 / 3 ? "before" : part > 2 / 3 ? "behind" : "equal";
    on.dataset.drop = where;
  };
  grip.onpointerup = grip.onpointercancel = (up) => {
    grip.onpointermove = null;
    clear();
    row.classList.remove("held");
    if (on && up.type === "pointerup") drop(id, on.dataset.id, where);
  };
};
const order = () => {
  const boxes = vote.ranks.map((rank, at) => make("li", {}, make("div", { className: "rank" }, make("span", { className: "place" }, `${at + 1}.`, rank.length > 1 ? make("small", { textContent: words.equal }) : ""), make("div", {}, ...rank.map((id) => ranked(id, at)))),
    rank.length > 1 ? button(words.split, () => move(rank[0], -1), { className: "plain" }) : at ? button(words.join, () => join(at, rank[0]), { className: "plain" }) : ""));
  const all = make("ol", { className: "ranks" }, ...boxes);
  all.addEventListener("keydown", (key) => {
    const id = key.target.closest(".ranked")?.dataset.id, by = { ArrowUp: -1, ArrowDown: 1 }[key.key];
    if (!id || !(key.altKey && by) && key.key !== "=") return;
    key.preventDefault();
    key.stopPropagation();
    if (by) move(id, by); else tie(id);
  });
  return all;
};
const score = () => make("ul", { className: "offered" }, ...[...vote.accepted].map((id) => make("li", {}, make("label", {}, make("span", { className: "name", textContent: title(id) }),
  make("input", { type: "number", min: 0, max: 10, value: vote.scores[id] ?? "", oninput: (event) => { vote.scores[id] = event.target.value; } })))));
const refused = () => {
  const ids = vote.said.texts.map((each) => each.id).filter((id) => !vote.accepted.has(id));
  return ids.length ? [make("h3", { className: "quiet", textContent: words["you-refuse"] }), make("ul", { className: "offered" }, ...ids.map((id) => {
    const back = button(words["accept-it"], () => { accept(id, true); draw(); });
    back.setAttribute("aria-label", say("accept-label", { title: title(id) }));
    return make("li", { className: "row" }, make("span", { className: "name", textContent: title(id) }), back);
  }))] : [];
};

const go = async (step) => {
  vote.step = step;
  vote.read = null;
  document.querySelector("#table > .since")?.remove();
  draw("", true);
  if (step !== "send") return;
  const mine = vote, answer = await post(`${base}/do`, { do: "read", text: typed() });
  if (vote !== mine || vote.step !== "send") return;
  vote.read = answer?.read ?? "";
  draw("", true);
};
const next = (by) => { const all = steps(); go(all[Math.max(0, all.indexOf(vote.step) + by)]); };
const send = async (event) => {
  const mine = vote;
  event.target.disabled = true;
  if (!await act("answer", typed(), { question: vote.said.number })) event.target.disabled = false;
  else if (mine.words) mine.sent();
};
// Reads what was typed beside an open ballot as a vote: it is sent as one, or else as a message, once the person says so.
export const readTyped = (text, sent, tell) => {
  Object.assign(vote, { words: text, sent, tell });
  $("tab-table").click();
  go("send");
};
const instead = () => button(words["do-message"], () => {
  vote.words = "";
  vote.tell();
  go(steps()[0]);
});
// Scrolls to the ballot, or to what has happened meanwhile, which is read first.
const toBallot = () => {
  const since = document.querySelector("#table > .since");
  $("table").scrollTop = Math.max(0, (since?.offsetHeight ? since : $("ballot")).offsetTop - 20);
};

const parts = {
  accept: () => [list(vote.said.texts.map((each) => each.id), vote.accepted, [words.accepted, words.refused], accept), make("p", { className: "quiet", textContent: words.drawn })],
  hold: () => [list(vote.said.texts.map((each) => each.id), vote.accepted, ["", ""], accept)],
  order: () => [order(), ...refused()],
  score: () => [score(), ...refused()],
  beside: () => [list(vote.said.beside, vote.beside, [words.too, ""], (id, is) => vote.beside[is ? "add" : "delete"](id))],
  send: () => [vote.words ? make("p", { className: "quiet", textContent: vote.words }) : "", make("p", { className: "read-back", tabIndex: -1, textContent: vote.read ?? "…" }), make("p", { className: "quiet", textContent: poll() ? "" : words[vote.said.first ? "private-first" : "private"] })],
};
// Draws the step; what has the focus keeps it, and a new step's heading, or what was read, gets it.
const draw = (told = "", anew = false) => {
  const all = steps(), step = all.includes(vote.step) ? vote.step : all[0], last = step === "send", focused = document.activeElement, key = focused?.dataset.key, value = focused?.name === "text" && focused.value;
  vote.step = step;
  const path = make("ol", { className: "steps" }, ...all.map((each, at) => make(each === step ? "b" : "span", { textContent: `${at + 1} ${words[`step-${each}`]}` })).map((inside) => make("li", {}, inside)));
  path.children[all.indexOf(step)].setAttribute("aria-current", "step");
  const empty = button(words.empty, () => { vote.empty = true; go("send"); }, { className: "plain" });
  const after = all[all.indexOf(step) + 1];
  const foot = make("div", { className: "step-foot" }, step === all[0] ? make("span", {}, poll() ? "" : say("count", { n: vote.accepted.size, other: vote.said.texts.length - vote.accepted.size }), " ", empty)
    : button(last ? words.change : words.back, () => { vote.empty = false; vote.words = ""; if (last) go(all[0]); else next(-1); }),
    last && vote.words ? instead() : "",
    button(last ? words[poll() ? "do-send-poll" : "do-send"] : words[`next-${after}`], (event) => (last ? send(event) : next(1)), { className: "main", disabled: last && !vote.read }));
  const note = vote.said.wrong || [vote.said.kept ? words.stands : "", ...vote.said.uncounted, vote.said.first ? words["before-talk"] : vote.said.again ? words.again : ""].filter(Boolean).join(" ");
  const status = make("p", { className: "skip", textContent: told });
  status.setAttribute("role", "status");
  const head = make("h2", { textContent: words[last && vote.read === "" ? "not-read" : step], tabIndex: -1 });
  $("ballot").replaceChildren(make("section", { id: "vote" }, path, make("p", { className: "clock quiet" }), head, note && step === all[0] ? make("p", { className: vote.said.wrong ? "error" : "note", textContent: note }) : "",
    words[`${step}-how`] ? make("p", { className: "quiet", textContent: words[`${step}-how`] }) : "", ...parts[step](), foot, status,
    vote.said.first ? "" : toTable()));
  const again = key ? [...$("vote").querySelectorAll("[data-key]")].find((each) => each.dataset.key === key) : $("vote").querySelector(`input[value="${CSS.escape(value || "")}"]`);
  if (anew) { toBallot(); (last ? $("vote").querySelector(".read-back") : head).focus({ preventScroll: true }); }
  else if (again?.disabled) again.parentElement.querySelector(".arrow:enabled")?.focus();
  else again?.focus();
};

// A vote as it was sent, for who changes it on a page that was loaded anew.
const restored = ({ was, scored, texts }) => {
  const known = (id) => texts.some((one) => one.id === id);  // `none`, and words that were typed, are no id
  const [order, also = ""] = was.split(/(?:^| )also /);
  const ranks = order.split(scored ? ", " : " > ").map((rank) => rank.split(scored ? " " : " = ")).filter((rank) => rank.some(known));
  const placed = ranks.map((rank) => rank.filter(known)), beside = new Set(also.split(", ").filter(known));
  return { ranks: placed, scores: scored ? Object.fromEntries(ranks) : {}, accepted: new Set(placed.flat()), beside, touched: new Set(placed.flat()) };
};
// Shows the ballot that is asked for. Whoever changes a vote finds it as it was; one sent in words is not what was chosen before.
export const drawBallot = (said) => {
  const ids = (each) => each?.said.texts.map((one) => one.id).join();
  const before = vote && !vote.words && ids(vote) === said.texts.map((one) => one.id).join() && vote.said.purpose === said.purpose && vote.said.first === said.first ? vote : null;
  vote = { accepted: new Set(), ranks: [], beside: new Set(), scores: {}, touched: new Set(), open: new Set(), ...(said.was && restored(said)), ...before, said, step: "", read: null, empty: false, words: "" };
  drawn = "";
  draw();
  toBallot();
};
// Asks the person alone what would bring them in for a text.
export const drawTerms = ({ about, number }) => {
  let takes = "";
  const change = make("textarea", { rows: 3, maxLength: 400, hidden: true }), answer = (text) => act("answer", text, { question: number });
  const send = button(words["do-send-poll"], async () => { send.disabled = true; if (!await answer({ yes: "1", no: "2", change: `3: ${change.value}` }[takes])) shown(); }, { className: "main", disabled: true });
  const shown = () => { change.hidden = takes !== "change"; send.disabled = !takes || (takes === "change" && !change.value.trim()); };
  change.setAttribute("aria-label", words["terms-change"]);
  change.addEventListener("input", shown);
  const row = (how) => make("li", {}, make("label", {}, make("input", { type: "radio", name: "takes", onchange: () => { takes = how; shown(); } }), make("span", { className: "name", textContent: words[`terms-${how}`] })));
  const head = make("h2", { textContent: words.terms, tabIndex: -1 });
  drawn = "";
  $("ballot").replaceChildren(make("section", { id: "vote" }, make("p", { className: "clock quiet" }), head, make("p", { className: "read-back", textContent: about }), make("p", { className: "quiet", textContent: words["terms-how"] }),
    make("ul", { className: "offered" }, ...["yes", "change", "no"].map(row)), change, make("div", { className: "step-foot" }, button(words["terms-nothing"], () => answer("")), send)));
  toBallot();
  head.focus({ preventScroll: true });
};
// Shows the vote that is in, as it is read: with who has still to vote and the way to change it, until it is counted; folded once the talk goes on.
let kept = null, asks = "", drawn = "";
export const drawKept = (told = kept, asked = asks) => {
  [kept, asks] = [told, asked];
  const waited = page.status?.to_vote ?? [], open = Boolean(kept?.open && waited.length), whole = Boolean(kept && (open || (kept.first && (page.status?.sealed || !page.status?.messages))));
  const key = JSON.stringify([kept, open, whole, asks, waited]);
  if (["ballot", "poll", "terms"].includes(asks) || !page.status || key === drawn) return;
  drawn = key;
  if (!whole || !$("ballot").querySelector(".whole")) $("cards").hidden = whole;
  const others = waited.filter((who) => who !== page.seat).join(", "), anew = !$("ballot").querySelector(".kept");
  const head = kept && words[kept.poll ? "is-in-poll" : open ? "is-in" : kept.first ? "first-counted" : "is-counted"], read = kept && make("p", { className: "read-back", textContent: kept.read });
  const then = kept && make("p", { className: "quiet", textContent: kept.poll ? "" : open ? words[kept.first ? "until-all" : "until-talk"] : kept.first ? words["votes-again"] : "" });
  if (!kept || page.status.state === "ended") return $("ballot").replaceChildren();
  if (!whole) return $("ballot").replaceChildren(make("details", { className: "kept" }, make("summary", { textContent: head }), read, then));
  const title = make("h2", { textContent: head, tabIndex: -1 }), said = make("div", {}, title, read, open && others ? make("p", { textContent: say("still-to-vote", { who: others }) }) : "", then);
  said.setAttribute("role", "status");
  $("ballot").replaceChildren(make("section", { className: "kept whole" }, said, open && !kept.poll ? button(words["change-vote"], () => act("unvote")) : "",
    asks === "speak" ? button(words["write-opening"], () => { $("tab-talk").click(); $("words").focus(); }, { className: "main" }) : "", toTable()));
  if (anew) { toBallot(); title.focus({ preventScroll: true }); }
};
export const forgetVote = () => { kept = null; drawn = ""; $("cards").hidden = false; $("ballot").replaceChildren(); };
