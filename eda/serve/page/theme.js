// Light or dark as the system has it, or as somebody chose with the key t.
const root = document.documentElement;
try {
  if (localStorage.theme) root.dataset.theme = localStorage.theme;
} catch { /* a browser that stores nothing follows the system */ }
export const turn = () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.theme = root.dataset.theme; } catch { /* as above */ }
};
