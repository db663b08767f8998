// What a person can do without markup: forms that become declared moves of a message.
import { $, make, page, say, words } from "./parts.js";

const sheet = $("sheet"), drafts = new Map(), MOST = { title: 6, text: 150 };
let declare = null;
// Has `send` called with each move: as a message has it, and as its author reads it; it returns whether it was sent.
export const whenDeclared = (send) => { declare = send; };

const plain = (text = "") => text.replace(/\s+/g, " ").replaceAll("[", "(").replaceAll("]", ")").trim();
const count = (text) => plain(text).split(" ").filter(Boolean).length;
const titled = (one) => one.title;

// The words of two texts: what both have, what is new, what is gone.
const differences = (before, after) => {
  const old = before.match(/\S+\s*/g) ?? [], now = after.match(/\S+\s*/g) ?? [], same = (a, b) => a.trim() === b.trim();
  const long = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) for (let j = now.length - 1; j >= 0; j--) long[i][j] = same(old[i], now[j]) ? long[i + 1][j + 1] + 1 : Math.max(long[i + 1][j], long[i][j + 1]);
  const told = [];
  let i = 0, j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && same(old[i], now[j])) { told.push([now[j], "same"]); i++; j++; }
    else if (i < old.length && (j >= now.length || long[i + 1][j] >= long[i][j + 1])) told.push([old[i++], "out"]);
    else told.push([now[j++], "in"]);
  }
  return told;
};

// Each form: its fields, the move, and the sentence in which its author reads it.
const forms = {
  support: {
    fields: ["how", "condition", "why"],
    move: (one, has) => `[SUPPORT ${one.id}] ${[has.how && plain(has.condition) && `${words.if} ${plain(has.condition)}`, plain(has.why)].filter(Boolean).join(": ")}`,
    ready: (has) => !has.how || plain(has.condition),
    says: (one, has) => (has.how ? say("says-support-if", { who: page.seat, title: titled(one), words: plain(has.condition) || "…" }) : say("says-support", { who: page.seat, title: titled(one) })),
    then: (has) => (has.how ? words["then-support-if"] : ""),
  },
  oppose: { fields: ["why"], move: (one, has) => `[OPPOSE ${one.id}] ${plain(has.why)}`, says: (one) => say("says-oppose", { who: page.seat, title: titled(one) }) },
  propose: {
    fields: ["title", "text"], move: (_, has) => `[PROPOSE ${plain(has.title)}] ${plain(has.text)}`, ready: (has) => plain(has.text),
    says: (_, has) => say("says-propose", { who: page.seat, title: plain(has.title) || plain(has.text) || "…" }), then: () => words["then-propose"],
  },
  amend: {
    fields: ["text", "why"], move: (one, has) => [plain(has.why), `[AMEND ${one.id}] ${plain(has.text)}`].filter(Boolean).join("\n\n"), ready: (has, one) => plain(has.text) && plain(has.text) !== plain(one.text),
    says: (one) => say("says-amend", { who: page.seat, title: titled(one) }), then: () => words["then-amend"],
  },
  withdraw: { fields: ["why"], move: (one, has) => `[WITHDRAW ${one.id}] ${plain(has.why)}`, says: (one) => say("says-withdraw", { who: page.seat, title: titled(one) }) },
  ask: { fields: ["to", "question"], move: (_, has) => `${has.to ? `@${has.to} ` : ""}${plain(has.question)}`, ready: (has) => plain(has.question), says: (_, has) => plain(has.question) },
};
const labels = { condition: "if-label", why: "why", title: "title-label", text: "whole-text", to: "to-whom", question: "question" };
const long = ["text", "why", "question"];

const field = (name, has, changed) => {
  if (name === "how") return make("fieldset", {}, ...["as-it-stands", "on-condition"].map((key, at) => make("label", { className: "check" }, make("input", { type: "radio", name, checked: Boolean(has.how) === Boolean(at), onchange: () => changed("how", at) }), words[key])));
  const inside = name === "to" ? make("select", { onchange: (event) => changed(name, event.target.value) }, new Option(words.everyone, ""), ...page.status.members.filter((each) => each.who !== page.seat).map((each) => new Option(each.who, each.who, false, each.who === has.to)))
    : make(long.includes(name) ? "textarea" : "input", { value: has[name] ?? "", maxLength: name === "title" ? 48 : 4000, rows: name === "text" ? 5 : 2, autocomplete: "off", oninput: (event) => changed(name, event.target.value) });
  const note = make("small", { textContent: name === "why" ? words["may-be-empty"] : "" });
  inside.dataset.name = name;
  return make("label", { className: name }, make("span", { className: "row" }, words[labels[name]], note), inside);
};

// Opens a form; what was filled in before and not sent is there again.
export const openSheet = (kind, one = null) => {
  const form = forms[kind], key = `${kind} ${one?.id}`, has = drafts.get(key) ?? (kind === "amend" ? { text: one.text } : {}), about = kind === "ask" ? null : one;
  if (kind === "ask" && one) has.question = `${one.question} ${has.question ?? ""}`;
  const said = make("p", { className: "note" }), send = make("button", { type: "submit", className: "main", textContent: words[kind === "amend" ? "put-up" : kind] });
  const changes = make("p", { className: "wording" }), error = make("p", { className: "error", hidden: true });
  error.setAttribute("role", "alert");
  const shown = () => {
    drafts.set(key, has);
    said.replaceChildren(make("b", { textContent: form.says(one, has) }), ` ${form.then?.(has) ?? ""}`);
    send.disabled = !(form.ready?.(has, one) ?? true);
    said.hidden = kind === "ask" || send.disabled;
    for (const each of sheet.querySelectorAll("label.title small, label.text small")) each.textContent = say("of-words", { n: count(has[each.closest("label").className]), most: MOST[each.closest("label").className] });
    const condition = sheet.querySelector("label.condition");
    if (condition) condition.hidden = !has.how;
    if (kind !== "amend") return;
    const parts = differences(one.text, plain(has.text)), number = (how) => parts.filter((each) => each[1] === how).length;
    changes.replaceChildren(...parts.map(([text, how]) => (how === "same" ? text : make(how === "in" ? "ins" : "del", { textContent: text }))), make("b", { className: "quiet", textContent: ` ${say("changed", { n: number("in"), out: number("out") })}` }));
    changes.hidden = !number("in") && !number("out");
  };
  const changed = (name, value) => { has[name] = value; shown(); };
  const inside = make("form", { className: "form" }, make("h2", { id: "sheet-head", textContent: about ? say("on-text", { does: words[kind], title: titled(one) }) : words[kind] }),
    ...form.fields.map((name) => field(name, has, changed)), changes, said, error,
    make("div", { className: "sheet-foot" }, make("button", { type: "button", textContent: words.cancel, onclick: () => sheet.close() }), send));
  changes.hidden = true;
  inside.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    if (!await declare(form.move(one, has), form.says(one, has))) { send.disabled = false; error.textContent = $("error").textContent; error.hidden = false; return; }
    drafts.delete(key);
    sheet.close();
  });
  sheet.replaceChildren(inside);
  shown();
  sheet.showModal();
};
sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });

// The moves that a person can begin beside a text of the table.
export const moves = (one) => page.seat && page.live && !page.past ? make("p", { className: "acts" }, ...["support", "oppose", "amend", ...(one.by === page.seat ? ["withdraw"] : [])].map((kind) => {
  const button = make("button", { type: "button", textContent: words[kind], onclick: () => openSheet(kind, one) });
  button.setAttribute("aria-label", say("on-text", { does: words[kind], title: titled(one) }));
  return button;
})) : "";
