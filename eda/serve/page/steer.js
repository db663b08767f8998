// The dialogs of a session's page: fork it at a message, and steer it.
import { $, base, fault, make, page, post, say } from "./parts.js";
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
  fault(say("steered", { done: done.done }), $("offline"));
  setTimeout(() => fault("", $("offline")), 4000);
});
