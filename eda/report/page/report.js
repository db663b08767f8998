// The page is whole without this: it adds a theme to choose, printing, and opens a fold that a link leads into.
"use strict";
const root = document.documentElement;
const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const theme = document.getElementById("theme");
const name = () => { theme.textContent = dark() ? theme.dataset.light : theme.dataset.dark; };
const turn = () => { root.dataset.theme = dark() ? "light" : "dark"; name(); };
const show = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let folded = false;
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS" && !at.open) folded = at.open = true;
  if (folded) target.scrollIntoView({ block: "center" });  // else the browser has done it, and the way back keeps its place
};
theme.hidden = document.getElementById("print").hidden = false;
theme.addEventListener("click", turn);
document.getElementById("print").addEventListener("click", () => print());
addEventListener("hashchange", show);
let closed = [];
addEventListener("beforeprint", () => { closed = [...document.querySelectorAll("details:not([open])")]; for (const fold of closed) fold.open = true; });
addEventListener("afterprint", () => { for (const fold of closed) fold.open = false; });
addEventListener("keydown", (key) => { if (key.key === "t" && !key.ctrlKey && !key.metaKey && !key.altKey) turn(); });
name();
if (location.hash) show();
