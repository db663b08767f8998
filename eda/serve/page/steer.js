// The dialogs of a session's page: fork it at a message, steer it, and test what its verdict hinges on.
import { $, base, fault, make, page, post, say, words } from "./parts.js";
import { checked } from "./theme.js";

const forking = $("forking"), steering = $("steering");
const opened = (dialog) => { fault("", dialog.querySelector(".error")); dialog.showModal(); };
const submits = (dialog, send) => dialog.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const buttons = [...dialog.querySelectorAll("button[type=submit]")];
  for (const each of buttons) each.disabled = true;
  await send(event.target, event.submitter?.value, dialog.querySelector(".error"));
  for (const each of buttons) each.disabled = false;
});

let at = 0;
export const openFork = (number) => {
  at = number;
  $("forking-head").textContent = say("fork-after", { message: `m${at}` });
  forking.querySelector("input").placeholder = `${document.body.dataset.session}-at-m${at}`;
  opened(forking);
};
submits(forking, async (form, how, error) => {
  const made = await post(`${base}/fork`, { at, name: form.elements.name.value.trim() }, error);
  if (!made) return;
  const there = `/s/${encodeURIComponent(made.session)}`;
  if (how !== "go" || await post(`${there}/do`, { do: "resume" }, error)) location.href = there;
});

export const openSteer = () => {
  const said = page.status, { add } = steering.querySelector("form").elements;
  $("members").replaceChildren(...said.members.map((one) => make("label", { className: "check" }, make("input", { type: "checkbox", name: "speaks", value: one.who, checked: !one.muted }), one.who)));
  for (const each of $("limits").querySelectorAll("input")) each.value = said.limits[each.name] ?? "";
  add.value = "";
  for (const each of add.options) each.hidden = said.members.some((one) => one.who === each.dataset.title);
  opened(steering);
};
submits(steering, async (form, _, error) => {
  try { checked(form); } catch (wrong) { return fault(wrong.message, error); }
  const said = page.status, { add } = form.elements, limits = [...$("limits").querySelectorAll("input")];
  const speaks = new Set([...form.querySelectorAll("[name=speaks]:checked")].map((each) => each.value));
  const changes = {
    mute: said.members.filter((one) => !one.muted && !speaks.has(one.who)).map((one) => one.who),
    unmute: said.members.filter((one) => one.muted && speaks.has(one.who)).map((one) => one.who),
    add: add.value,
    settings: Object.fromEntries(limits.filter((each) => each.value !== String(said.limits[each.name] ?? "")).map((each) => [each.name, each.value === "" ? null : Number(each.value)])),
  };
  const done = await post(`${base}/steer`, changes, error);
  if (!done) return;
  steering.close();
  fault(words[`steered-${done.done}`], $("offline"));
  setTimeout(() => fault("", $("offline")), 4000);
});

// A test is planned when its dialog opens and each time that a field changes; nothing starts before the button is pressed.
const trial = $("trial"), LONG = 6000;
const asked = (form, what) => {
  const { premises, runs, budget, again } = form.elements;
  return { do: what, premises: premises.value.split("\n").map((each) => each.trim()).filter(Boolean), runs: Number(runs.value), budget: budget.value === "" ? null : Number(budget.value), again: again.checked };
};
let newest = 0, begun = false;
const plan = async () => {
  const form = trial.querySelector("form"), error = trial.querySelector(".error"), start = trial.querySelector("button[type=submit]"), own = ++newest;
  start.disabled = true;
  $("plan").replaceChildren(make("p", { className: "quiet", textContent: words.working }));
  let told = null;
  try { checked(form); told = await post(`${base}/stress`, asked(form, "plan"), error); } catch (wrong) { fault(wrong.message, error); }
  if (own !== newest) return;
  const list = (key) => (told[key].length ? [make("details", {}, make("summary", { textContent: say(`try-${key}`, { n: told[key].length }) }), make("ul", {}, ...told[key].map((textContent) => make("li", { textContent }))))] : []);
  $("plan").replaceChildren(...(told ? [make("p", {}, make("b", { textContent: told.takes })), make("p", { className: "note", textContent: told.asked }), ...["changed", "left", "free"].flatMap(list)] : []));
  start.disabled = !told?.changed.length || page.status.trying;
};
if (trial) {
  trial.addEventListener("change", plan);
  submits(trial, async (form, _, error) => {
    try { checked(form); } catch (wrong) { return fault(wrong.message, error); }
    begun = true;  // before the answer: it may have ended when that comes
    if (await post(`${base}/stress`, asked(form, "start"), error)) trial.close();
    else begun = false;
  });
  $("trying").querySelector("button").addEventListener("click", () => post(`${base}/stress`, { do: "stop" }));
}
export const openTrial = () => { opened(trial); plan(); };
// Tells how far a test is, and of its end; whoever follows sees what it hinges on below the verdict grow.
export const drawTrial = (said) => {
  begun ||= said.trying;
  $("trying").hidden = !said.trying;
  $("trying").querySelector("button").hidden = !page.owner;
  $("trying").querySelector("span").textContent = say("trying", { n: said.tried });
  if (!begun || said.trying) return;
  begun = false;
  fault(said.why_untried || words.tried, $("offline"));
  setTimeout(() => fault("", $("offline")), LONG);
};
