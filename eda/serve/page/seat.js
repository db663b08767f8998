// The seat of the person at the page: what it says, the moves beside a text, and its vote.
import { $, act, base, fault, make, page } from "./parts.js";

let asked = "", question = 0;
const post = (path, data) => fetch(`${base}/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
const answer = (text) => act("answer", text, { question });

// Shows the seat where somebody sits here and the debate runs.
export const drawSeat = () => { $("seat").hidden = !(page.seat && page.live); };

// The moves that a person can begin beside a text of the table.
export const moves = (card) => page.seat && page.live && !page.past ? make("p", { className: "acts" }, ...["Support", "Oppose", "Amend"].map((word) => {
  const button = make("button", { type: "button", textContent: word });
  button.setAttribute("aria-label", `${word} ${card.id}`);
  button.addEventListener("click", () => draft(`[${word.toUpperCase()} ${card.id}] `));
  return button;
})) : "";

const draft = (text) => { $("words").value += ($("words").value ? "\n" : "") + text; $("words").focus(); };

// Shows what the person is asked now: to speak, or to vote.
export const drawQuestion = (said) => {
  if (said.purpose && said.number === question) return;  // a page that comes back keeps what is filled in
  asked = said.purpose;
  question = said.number || 0;
  const votes = asked === "ballot" || asked === "poll";
  $("ballot").replaceChildren();
  $("cards").hidden = votes;
  $("words").placeholder = asked === "speak" ? "You have the floor: speak, or leave it empty to pass" : `Say something as ${page.seat}`;
  if (!votes) return;
  $("tab-table").click();  // on a phone the ballot is behind the talk
  const rows = said.texts.map((text) => {
    const rank = make("input", { type: "number", min: 1, max: said.texts.length, name: text.id });
    rank.setAttribute("aria-label", `Rank of ${text.id}`);
    const beside = make("input", { type: "checkbox", name: `also ${text.id}` });
    return make("li", {}, rank, make("span", {}, `${text.text} `, make("small", { className: "quiet", textContent: text.id })),
      asked === "ballot" ? make("label", { className: "quiet" }, beside, "beside the answer") : "");
  });
  const form = make("form", { id: "vote" }, make("h2", { textContent: asked === "poll" ? "What do you hold?" : "Your vote" }),
    make("p", { className: "note", textContent: "Number the texts that you accept, the best as 1; what has no number you refuse." }), make("ol", {}, ...rows),
    make("button", { className: "main", type: "submit", textContent: "Cast vote" }),
    make("button", { type: "button", textContent: "None of these", onclick: () => answer("none") }),
    make("button", { type: "button", textContent: "Leave my ballot empty", onclick: () => answer("") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const ranked = said.texts.filter((text) => form.elements[text.id].value).sort((one, two) => form.elements[one.id].value - form.elements[two.id].value);
    const also = said.texts.filter((text) => form.elements[`also ${text.id}`]?.checked);
    if (!ranked.length && !also.length) return fault("Number a text, or choose one of the buttons beside.");
    const first = ranked.length ? ranked.map((text) => text.id).join(" > ") : "none";
    answer(also.length ? `${first} also ${also.map((text) => text.id).join(", ")}` : first);
  });
  $("ballot").append(form);
};

$("seat").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("words").value;
  if ((asked === "speak" || text.trim()) && await (asked === "speak" ? answer(text) : act("say", text))) $("words").value = "";
});

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
