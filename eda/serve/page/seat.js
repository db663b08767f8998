// The seat of the person at the page: what it says, the moves beside a text, and its vote.
import { $, act, fault, make, page } from "./parts.js";

let asked = "";

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
  asked = said.purpose;
  const votes = asked === "ballot" || asked === "poll";
  $("ballot").replaceChildren();
  $("cards").hidden = votes;
  $("words").placeholder = asked === "speak" ? "You have the floor: speak, or leave it empty to pass" : `Say something as ${page.seat}`;
  if (!votes) return;
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
    make("button", { type: "button", textContent: "None of these", onclick: () => act("answer", "none") }),
    make("button", { type: "button", textContent: "Leave my ballot empty", onclick: () => act("answer", "") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const ranked = said.texts.filter((text) => form.elements[text.id].value).sort((one, two) => form.elements[one.id].value - form.elements[two.id].value);
    const also = said.texts.filter((text) => form.elements[`also ${text.id}`]?.checked);
    if (!ranked.length && !also.length) return fault("Number a text, or choose one of the buttons beside.");
    const first = ranked.length ? ranked.map((text) => text.id).join(" > ") : "none";
    act("answer", also.length ? `${first} also ${also.map((text) => text.id).join(", ")}` : first);
  });
  $("ballot").append(form);
};

$("seat").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("words").value;
  if ((asked === "speak" || text.trim()) && await act(asked === "speak" ? "answer" : "say", text)) $("words").value = "";
});
