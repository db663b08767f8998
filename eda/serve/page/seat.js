// The seat of the person at the page: what it says, the moves beside a text, and its vote.
import { $, act, base, fault, forget, keeps, make, page } from "./parts.js";

const TITLE = document.title, SOME_TIME = 8000;
let asked = "", question = 0, until = 0, kept = null;
const post = (path, data) => fetch(`${base}/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
const answer = (text) => act("answer", text, { question });

// A vote that is counted is told by the verdict.
export const forgetVote = () => { kept = null; $("ballot").replaceChildren(); };

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
  $("to").replaceChildren(new Option("To everyone", ""), ...others.map((each) => new Option(`To ${each.who}${each.muted ? " (muted: hears, does not speak)" : ""}`, each.who)));
};

// The seconds that are left to answer; a screen reader is not told of each.
const tick = () => {
  const left = until && asked ? Math.max(0, Math.round((until - Date.now()) / 1000)) : 0;
  for (const each of document.querySelectorAll("#vote .clock, #seat .clock")) each.textContent = left && (asked === "speak" || each.closest("#vote")) ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left` : "";
};
setInterval(tick, 1000);

// The moves that a person can begin beside a text of the table.
export const moves = (card) => page.seat && page.live && !page.past ? make("p", { className: "acts" }, ...[["Support", "SUPPORT"], ["Against", "OPPOSE"], ["Amend…", "AMEND"]].map(([word, move]) => {
  const button = make("button", { type: "button", textContent: word });
  button.setAttribute("aria-label", `${word.replace("…", "")} ${card.id}`);
  button.addEventListener("click", () => draft(`[${move} ${card.id}] ${move === "AMEND" ? card.text : ""}`));
  return button;
})) : "";

const draft = (text) => { $("words").value += ($("words").value ? "\n" : "") + text; $("words").oninput?.(); $("words").focus(); };
$("propose").addEventListener("click", () => draft("[PROPOSE] "));

// Casts a vote; what it is stays on this page only, until the next question.
const cast = async (text, words, ...more) => {
  const change = asked === "ballot" ? make("button", { type: "button", textContent: "Change my vote", onclick: () => act("unvote") }) : "";
  kept = make("section", { className: "kept" }, make("h2", { textContent: "Your vote is in" }), make("p", { textContent: words }), ...more, change, make("p", { className: "quiet", textContent: "It is counted once all have voted. If somebody speaks before that, all vote again." }));
  kept.setAttribute("role", "status");
  if (!await answer(text)) kept = null;
  else if (asked) {  // the next question is there already
    fault(`Your vote is in: ${text}`, $("offline"));
    setTimeout(() => $("offline").textContent.startsWith("Your vote") && fault("", $("offline")), SOME_TIME);
  }
  else { $("ballot").replaceChildren(kept); $("ballot").scrollIntoView({ block: "start" }); }
};

// Shows what the person is asked now: to speak, or to vote.
export const drawQuestion = (said) => {
  until = said.seconds === undefined ? 0 : Date.now() + said.seconds * 1000;
  if (said.purpose && said.number === question && asked) return tick();  // a page that comes back keeps what is filled in
  asked = said.purpose;
  question = said.number || 0;
  const votes = asked === "ballot" || asked === "poll";
  $("ballot").replaceChildren(...(asked || !kept ? [] : [kept]));
  tick();
  $("cards").hidden = votes;  // the ballot replaces the table, which a button brings back below it
  $("words").placeholder = asked === "speak" ? "You have the floor: speak, or leave it empty to pass" : `Say something as ${page.seat}`;
  $("seat").classList.toggle("asked", asked === "speak");
  document.title = asked ? `Your turn: ${TITLE}` : TITLE;
  if (asked || page.status?.state === "ended") kept = null;
  if (!votes) return;
  $("tab-table").click();  // on a phone the ballot is behind the talk
  const rows = said.texts.map((text) => {
    const rank = make("input", { type: "number", min: 1, max: said.texts.length, name: text.id });
    rank.setAttribute("aria-label", `Rank of ${text.id}`);
    const beside = make("input", { type: "checkbox", name: `also ${text.id}` });
    return make("li", {}, rank, make("span", {}, `${text.text} `, make("small", { className: "quiet", textContent: text.id })),
      asked === "ballot" ? make("label", { className: "quiet" }, beside, "beside the answer: adopt it too, whichever text wins") : "");
  });
  const form = make("form", { id: "vote" }, make("h2", { textContent: asked === "poll" ? "What do you hold?" : "Your vote" }),
    said.first ? make("p", { textContent: "Before the talk: what would you choose now? You vote again at the end." }) : said.again ? make("p", { textContent: "Somebody spoke during the vote. So all vote again, on what is on the table now; earlier ballots do not count." }) : "", make("p", { className: "clock quiet" }),
    make("p", { className: "note", textContent: "Number the texts that you accept, the best as 1, equals alike; what has no number you refuse." }), make("ol", {}, ...rows),
    make("button", { className: "main", type: "submit", textContent: "Cast vote" }),
    make("button", { type: "button", textContent: "None of these", onclick: () => cast("none", "You accept none of them.") }),
    make("button", { type: "button", textContent: "Leave my ballot empty", onclick: () => cast("", "You abstain.") }),
    said.first ? "" : make("button", { type: "button", textContent: "Show the table", onclick: () => { $("cards").hidden = !$("cards").hidden; } }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const place = (text) => Number(form.elements[text.id].value);
    const ranked = said.texts.filter(place).sort((one, two) => place(one) - place(two));
    const also = said.texts.filter((text) => form.elements[`also ${text.id}`]?.checked);
    if (!ranked.length && !also.length) return fault("Number a text, or choose one of the buttons beside.");
    const order = ranked.map((text, at) => (at ? (place(text) === place(ranked[at - 1]) ? " = " : " > ") : "") + text.id).join("");
    const first = order || "none";
    const words = (text) => make("li", {}, `${place(text)}. ${text.text} `, make("small", { className: "quiet", textContent: text.id }));
    cast(also.length ? `${first} also ${also.map((text) => text.id).join(", ")}` : first,
      order.replaceAll(" > ", ", then ") || "You accept none of them as the answer.", make("ol", {}, ...ranked.map(words)),
      also.length ? make("p", { textContent: `Beside the answer: ${also.map((text) => text.id).join(", ")}` }) : "");
  });
  $("ballot").append(form);
  $("ballot").scrollIntoView({ block: "start" });
  tick();
};

// Shows how the person's last line was read, with what can be answered to that.
export const drawSaidBack = (said) => {
  const buttons = Object.entries(said.answers).map(([line, textContent]) => make("button", { type: "button", textContent, onclick: () => act("line", "", { line, message: said.message }) }));
  $("said-back").hidden = false;
  $("said-back").replaceChildren(said.lines.join(" "), " ", ...buttons);
};

$("seat").addEventListener("submit", async (event) => {
  event.preventDefault();
  const speaks = asked === "speak", typed = $("words").value;
  const to = $("to").value, text = typed.trim() && to ? `@${to}${typed.startsWith("[") ? "\n" : " "}${typed}` : typed;  // a move begins a line
  if (!speaks && !text.trim()) return;
  const mine = text.trim() ? sent(text) : null;  // before the answer: what was said may come first
  if (await (speaks ? answer(text) : act("say", text))) {
    forget($("words"));
    $("to").value = "";
    mine?.received();
  } else mine?.remove();
});
let sent = null;
// Has `show` called with each text that the person sends; it returns what to do once the server has it, and what takes it back.
export const whenSent = (show) => { sent = show; };

// Who is waited for; whoever invited them can go on without.
export const drawWaiting = (said) => {
  $("waiting").hidden = !said.text;
  const skip = page.owner && said.others ? make("button", { type: "button", textContent: "Go on without", onclick: () => act("skip") }) : "";
  $("waiting").replaceChildren(said.text, " ", ...[skip].filter(Boolean));
  drawPeople();
};

// Who was invited, for whoever invited them: who has come, and the links to pass on.
const drawPeople = async () => {
  if (!page.owner) return;
  const got = await fetch(`${base}/people`);
  if (!got.ok) return;
  const people = await got.json();
  $("people").hidden = !people.length;
  $("people").querySelector("ul").replaceChildren(...people.map((each) => {
    const link = each.link && make("input", { readOnly: true, value: location.origin + each.link, onfocus: (event) => event.target.select() });
    link?.setAttribute?.("aria-label", `Invitation for ${each.name}`);
    const anew = make("button", { type: "button", textContent: "New invitation", onclick: async () => {
      await post("invite", { who: each.name });
      drawPeople();
    } });
    anew.setAttribute("aria-label", `New invitation for ${each.name}: it ends the old one`);
    return make("li", {}, `${each.name}: ${each.state} `, link, anew);
  }));
  if (people.some((each) => each.link)) $("people").open = true;
};
$("people").addEventListener("toggle", () => $("people").open && drawPeople());

// Gives the seat up, at the second press: only a new invitation gives it back.
$("leave")?.addEventListener("click", async () => {
  if ($("leave").textContent === "Leave") $("leave").textContent = "Give up the seat?";
  else if ((await post("leave", {})).ok) location.href = "/";
});
