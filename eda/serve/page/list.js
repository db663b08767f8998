// The decision log: search, and the form of a new debate, which only the owner has.
import { checked, turn } from "./theme.js";

const words = JSON.parse(document.body.dataset.words);
const search = document.getElementById("search"), start = document.getElementById("start"), form = document.getElementById("new");
const begin = document.getElementById("begin"), fault = form?.querySelector(".error"), cost = document.getElementById("cost");
if (location.hash === "#q") search.elements.q.focus();
search.addEventListener("submit", (event) => {
  event.preventDefault();
  const query = search.elements.q.value.trim();
  location.href = query ? `/?q=${encodeURIComponent(query)}` : "/";
});
addEventListener("keydown", (key) => {
  if (key.target.matches?.("input, textarea, select") || key.ctrlKey || key.metaKey || key.altKey) return;
  if (key.key === "/") { key.preventDefault(); search.elements.q.focus(); }
  if (key.key === "t") turn();
});
document.getElementById("out")?.addEventListener("click", async () => {
  await fetch("/sign-out", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  location.reload();
});
begin?.addEventListener("click", () => {
  start.hidden = !start.hidden;
  begin.setAttribute("aria-expanded", String(!start.hidden));
  if (!start.hidden) form.elements.question.focus();
});

const base64 = (file) => new Promise((done, failed) => {
  const reader = Object.assign(new FileReader(), { onload: () => done(reader.result.replace(/^[^,]*,?/, "")), onerror: () => failed(new Error(words["no-file"].replace("{name}", file.name))) });
  reader.readAsDataURL(file);
});
const MOST = 14_000_000;
const sent = async (path) => {
  checked(form);
  const files = [...form.elements.documents.files];
  if (files.reduce((sum, file) => sum + file.size, 0) > MOST) throw new Error(words.large);
  const given = Object.fromEntries([...new FormData(form)].filter(([name, value]) => name !== "documents" && value));
  given.documents = await Promise.all(files.map(async (file) => ({ name: file.name, data: await base64(file) })));
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
  const said = await answer.json().catch(() => ({ error: words.answered.replace("{status}", answer.status) }));
  if (!answer.ok) {
    const told = [said.error, said.hint].filter(Boolean).join(". ").replace(/([.:?!])\. /, "$1 ");
    throw Object.assign(new Error(told), { field: form.elements[said.about] });
  }
  return said;
};
// Shows what was wrong, and goes to the field of it.
const show = (error) => {
  fault.textContent = error instanceof TypeError ? words["no-server"] : error.message;
  fault.hidden = false;
  if (!error.field) return form.querySelector(".main").before(fault);
  error.field.closest("label").append(fault);
  error.field.closest("details")?.setAttribute("open", "");
  error.field.setAttribute("aria-invalid", "true");
  error.field.focus();
};
// Has a button do something once at a time, and shows what was wrong.
const once = async (button, does) => {
  fault.hidden = button.disabled = true;
  form.querySelectorAll("[aria-invalid]").forEach((each) => each.removeAttribute("aria-invalid"));
  try {
    await does();
  } catch (error) {
    show(error);
  } finally {
    button.disabled = false;
  }
};
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  once(event.submitter, async () => { location.href = `/s/${encodeURIComponent((await sent("/new")).session)}`; });
});
document.getElementById("forecast")?.addEventListener("click", (event) => {
  cost.textContent = words.working;
  once(event.target, async () => { cost.textContent = words.forecast.replace("{cost}", (await sent("/forecast")).cost); }).then(() => { if (!fault.hidden) cost.textContent = ""; });
});
form?.addEventListener("input", () => { cost.textContent = ""; });
// Alternatives that stand in the question are offered as its options.
const offered = document.getElementById("offered");
let found = [];
form?.elements.question.addEventListener("change", async (event) => {
  const answer = await fetch(`/alternatives?question=${encodeURIComponent(event.target.value)}`).catch(() => null);
  found = answer?.ok ? await answer.json() : [];
  offered.querySelector("b").textContent = found.join("; ");
  offered.hidden = !found.length || form.elements.options.value.trim() !== "";
});
offered?.querySelector("button").addEventListener("click", () => {
  form.elements.options.value = found.join("\n");
  offered.hidden = true;
});
