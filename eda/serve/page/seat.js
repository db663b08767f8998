// The seat of the person at the page: what it says, the moves beside a text, and its vote.
import { openSheet, whenDeclared } from "./acts.js";
import { drawBallot, drawKept, drawTerms, readTyped } from "./ballot.js";
import { whenQuoted } from "./document.js";
import { drawForMe } from "./table.js";
import { $, act, base, forget, keeps, make, page, say, words } from "./parts.js";

const TITLE = document.title;
let asked = "", question = 0, until = 0;
const post = (path, data) => fetch(`${base}/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
const answer = (text) => act("answer", text, { question });

// Shows the seat where somebody sits here and the debate runs.
export const drawSeat = () => {
  if (page.seat && !$("words").oninput) keeps($("words"), page.seat);
  const unsent = Boolean($("words").value.trim());  // stays to be read where nobody hears it any more
  $("seat").hidden = !(page.seat && (page.live || unsent));
  $("words").readOnly = $("seat").querySelector(".main").disabled = !page.live;
  document.body.classList.toggle("seated", Boolean(page.seat));  // the foot keeps its height when the debate ends
  const others = (page.status?.members ?? []).filter((each) => each.who !== page.seat), shown = JSON.stringify(others);
  if ($("to").dataset.shown === shown) return;
  $("to").dataset.shown = shown;
  $("to").replaceChildren(new Option(say("to", { who: words.everyone }), ""), ...others.map((each) => new Option(say(each.muted ? "to-muted" : "to", { who: each.who }), each.who)));
};

// The time that is left to answer; a screen reader is not told of each second.
const HOUR = 3600, DAY = 24 * HOUR;
const spanned = (seconds) => {
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const days = seconds >= 2 * DAY - HOUR;
  return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: days ? "day" : "hour", unitDisplay: "long" }).format(Math.round(seconds / (days ? DAY : HOUR)));
};
const tick = () => {
  const left = until && asked ? Math.max(0, Math.round((until - Date.now()) / 1000)) : 0;
  for (const each of document.querySelectorAll("#vote .clock, #now .clock")) each.textContent = left && (asked === "speak" || each.closest("#vote")) ? say("left", { n: spanned(left) }) : "";
};
setInterval(tick, 1000);

// Sends what the person says: words, and what a form has put beside them. Where they have the floor, a move waits for their words.
const pending = [];
const drawPending = () => $("pending").replaceChildren(...pending.map((each, at) => {
  const remove = make("button", { type: "button", textContent: words.remove, onclick: () => { pending.splice(at, 1); drawPending(); } });
  remove.setAttribute("aria-label", `${words.remove}: ${each.shown}`);
  return make("li", {}, each.shown, " ", remove);
}));
export const attach = (text, shown) => { pending.push({ text, shown }); drawPending(); $("words").focus(); };
const speak = async (text, shown) => {
  if (!back.querySelector("button")) back.hidden = true;  // what can still be answered stays
  const mine = text.trim() ? sent(shown) : null;  // before the answer: what was said may come first
  const done = await (asked === "speak" ? answer(text) : act("say", text));
  if (!done || done.read) mine?.remove(); else mine?.received();
  if (done?.read) answered(done.read);
  return done;
};
whenQuoted(attach, openSheet);
whenDeclared((text, shown) => (asked === "speak" ? (attach(text, shown), true) : speak(text, shown)));
$("propose").addEventListener("click", () => openSheet("propose"));
$("ask").addEventListener("click", () => openSheet("ask"));
$("pass").addEventListener("click", () => answer(""));

// What happens now, and what comes then.
const now = () => {
  const said = page.status, left = said.most - said.messages, who = said.speaking, others = said.to_vote.filter((each) => each !== page.seat);
  const vote = said.vote_ahead ? (left > 0 ? say("then-vote-in", { n: left }) : words["then-vote"]) : "";
  if (asked === "ballot" || asked === "poll") return [words["now-vote"], words["then-closed"]];
  if (asked === "terms") return [words["now-asked"], ""];
  if (!asked && said.to_vote.length) return [words["now-voted"], others.length ? say("still-to-vote", { who: others.join(", ") }) : ""];
  if (asked === "speak") return said.sealed ? [words["now-sealed"], words["then-sealed"]] : [words["now-floor"], vote];
  if (said.state === "paused") return [words["now-paused"], ""];
  if (said.sealed) return ["", words["others-sealed"]];
  return [who && who !== page.seat ? say("now-speaks", { who }) : "", vote];
};
export const drawNow = () => {
  $("now").hidden = $("seat").hidden || !page.live || page.past > 0;
  $("pass").hidden = asked !== "speak";
  if (!page.status) return;
  $("words").placeholder = asked === "speak" ? words[page.status.sealed ? "opening-how" : "speak-or-pass"] : say("say-as", { who: page.seat });
  const told = now(), places = $("now").querySelectorAll("b, span > span");
  told.forEach((text, at) => { if (places[at].textContent !== text) places[at].textContent = text; });  // a screen reader is told of what changes
};

// Shows what the person is asked now: to speak, or to vote.
export const drawQuestion = (said) => {
  until = said.seconds === undefined ? 0 : Date.now() + said.seconds * 1000;
  if (said.purpose && said.number === question && asked) return tick();  // a page that comes back keeps what is filled in
  asked = said.purpose;
  question = said.number || 0;
  const votes = ["ballot", "poll", "terms"].includes(asked);
  tick();
  page.votes = votes;
  if (page.table) drawForMe();
  $("seat").classList.toggle("asked", asked === "speak");
  document.title = asked ? say("your-turn", { question: TITLE }) : TITLE;
  drawNow();
  drawKept(said.kept, asked);
  if (!votes) return;
  $("cards").hidden = asked !== "terms";  // the ballot replaces the table, which a button brings back below it
  $("tab-table").click();  // on a phone the ballot is behind the talk
  (asked === "terms" ? drawTerms : drawBallot)(said);
  tick();
};

// Shows below each of the person's lines how it was read, where it can still be answered; below the last one always.
const back = $("said-back");
export const drawSaidBack = (said) => {
  const buttons = Object.entries(said.answers).map(([line, textContent]) => make("button", { type: "button", textContent, onclick: async () => answered((await act("line", "", { line, message: said.message }))?.read, said.message) }));
  const of = `m${said.message}`;
  document.querySelector(`p.said-back[data-of="${of}"]`)?.remove();
  if (back.dataset.of !== of && back.isConnected && (back.querySelector("button") || back.dataset.stays)) {
    const kept = make("p", { className: "note said-back" }, ...back.childNodes);
    Object.assign(kept.dataset, { of: back.dataset.of, waits: back.dataset.waits });
    back.before(kept);
  }
  for (const kept of document.querySelectorAll("p.said-back:not(#said-back)")) {
    const { of, waits } = kept.dataset, open = said.open[of];
    if (!kept.querySelector("button") || !(waits || said.over.includes(of))) continue;
    if (open) kept.firstChild.textContent = open;
    else kept.replaceChildren(words.replaced);
  }
  back.dataset.of = of;
  back.dataset.stays = said.stays ? "yes" : "";
  back.dataset.waits = said.answers.yes ? "yes" : "";
  back.hidden = false;
  back.replaceChildren(said.lines.join(" "), " ", ...buttons);
  placeSaidBack();
};
// Says in place of the buttons that a yes or no has come, where what comes of it is not said yet.
const answered = (read, message) => {
  const said = message && back.dataset.of !== `m${message}` ? document.querySelector(`p.said-back[data-of="m${message}"]`) : back;
  if (!read || !said?.querySelector("button")) return;
  for (const each of said.querySelectorAll("button")) each.remove();
  said.append(read);
};
// A sealed message is shown later than how it was read.
export const placeSaidBack = () => {
  if (!back.dataset.of) return;
  const line = $(back.dataset.of) ?? $("writing");
  if (line.nextElementSibling !== back) line.after(back);
};

$("seat").addEventListener("submit", async (event) => {
  event.preventDefault();
  const to = $("to").value, typed = $("words").value.trim(), mine = typed && to ? `@${to}${typed.startsWith("[") ? "\n" : " "}${typed}` : typed;  // a move begins a line
  const text = [mine, ...pending.map((each) => each.text)].filter(Boolean).join("\n\n");
  if (!text) return $("words").focus();  // Pass has a button of its own
  const shown = [mine, ...pending.map((each) => each.shown)].filter(Boolean).join("\n\n"), tell = async () => { if (await speak(text, shown)) sentAll(); };
  if (["ballot", "poll"].includes(asked) && !/^\s*[@[]/.test(text)) readTyped(text, sentAll, tell); else await tell();
});
const sentAll = () => {
  forget($("words"));
  $("to").value = "";
  pending.length = 0;
  drawPending();
};
let sent = null;
// Has `show` called with each text that the person sends; it returns what to do once the server has it, and what takes it back.
export const whenSent = (show) => { sent = show; };

// Who is waited for; whoever invited them can go on without.
export const drawWaiting = (said) => {
  $("waiting").hidden = !said.text || (said.who.length === 1 && said.who[0] === page.seat);  // the line above the field says it
  const skip = page.owner && said.others ? make("button", { type: "button", textContent: words["go-without"], onclick: () => act("skip") }) : "";
  $("waiting").replaceChildren(said.text, " ", ...[skip].filter(Boolean));
  drawPeople();
};

// Who was invited, for whoever invited them: who has come, and the links to pass on.
const drawPeople = async () => {
  if (!page.owner) return;
  const got = await fetch(`${base}/people`).catch(() => null);  // that the server is gone is told by the page's events
  if (!got?.ok) return;
  const people = await got.json();
  $("people").hidden = !people.length;
  $("people").querySelector("ul").replaceChildren(...people.map((each) => {
    const link = each.link && make("input", { readOnly: true, value: location.origin + each.link, onfocus: (event) => event.target.select() });
    link?.setAttribute?.("aria-label", say("invitation-for", { who: each.name }));
    // A page that is not served safely has no clipboard.
    const copy = link && navigator.clipboard ? make("button", { type: "button", textContent: words.copy, onclick: () => navigator.clipboard.writeText(link.value) }) : "";
    const anew = make("button", { type: "button", textContent: words["new-invitation"], onclick: async () => {
      await post("invite", { who: each.name });
      drawPeople();
    } });
    anew.setAttribute("aria-label", say("new-invitation-for", { who: each.name }));
    return make("li", {}, `${say(`person-${each.state}`, { who: each.name })} `, link, copy, anew);
  }));
  if (people.some((each) => each.link)) $("people").open = true;
};
$("people").addEventListener("toggle", () => $("people").open && drawPeople());

// Gives the seat up, at the second press: only a new invitation gives it back.
$("leave")?.addEventListener("click", async () => {
  if ($("leave").textContent !== words["give-up"]) $("leave").textContent = words["give-up"];
  else if ((await post("leave", {})).ok) location.href = "/";
});
