// Light or dark as the system has it, or as somebody chose with the key t.
const root = document.documentElement;
try {
  if (localStorage.theme) root.dataset.theme = localStorage.theme;
} catch { /* a browser that stores nothing follows the system */ }
// Forms are checked by the server, whose errors are in the page's language: a browser would speak its own. Only what is
// no number never gets there.
export const checked = (form) => {
  const wrong = [...form.elements].find((each) => each.validity?.badInput);
  if (wrong) throw Object.assign(new Error(`${wrong.labels[0]?.textContent.trim() || wrong.name}: ${form.dataset.noNumber}`), { field: wrong });
};
export const turn = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.theme = root.dataset.theme; } catch { /* as above */ }
};
