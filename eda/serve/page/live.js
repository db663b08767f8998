// A session's page: the talk, the table beside it, and the way back in time.
import { $, act, base, fault, linked, make, page, person } from "./parts.js";
import { drawQuestion, drawSeat, moves } from "./seat.js";

const messages = $("messages"), talk = $("talk"), slider = $("slider"), news = $("news");
let unseen = 0, writing = null;

const nearEnd = () => scroller().scrollHeight - scroller().scrollTop - scroller().clientHeight < 40;
const scroller = () => talk;
const toEnd = () => { scroller().scrollTop = scroller().scrollHeight; unseen = 0; news.hidden = true; };
const add = (node, counts = true) => {
  const follow = nearEnd();
  messages.append(node);
  if (follow && !page.past) toEnd();
  else if (counts) {
    unseen += 1;
    news.textContent = `${unseen} new ${unseen === 1 ? "message" : "messages"} ↓`;
    news.hidden = false;
  }
};

const message = (said) => {
  const head = make("header", {}, person(said.who, true), said.to ? make("span", { className: "quiet", textContent: `to ${said.to}` }) : "",
    make("a", { href: `#m${said.number}`, textContent: `m${said.number}` }));
  const node = make("article", { id: `m${said.number}` }, head, make("div", { className: "said" }, ...linked(said.text)));
  if (said.acts.length) {
    const acts = make("ul", {}, ...said.acts.map((act) => make("li", {}, ...linked(act))));
    node.append(make("details", {}, make("summary", { textContent: `${said.acts.length} ${said.acts.length === 1 ? "act" : "acts"} as read` }), acts));
  }
  return node;
};
const shows = {
  message(said) {
    page.last = Math.max(page.last, said.number);
    if (writing?.who === said.who) quiet();
    add(message(said));
    slider.max = page.last;
    if (!page.past) slider.value = page.last;
  },
  line(said) { add(make("p", { className: "line quiet" }, ...linked(said.text)), false); },
  phase(said) { add(make("h2", { className: "phase", textContent: said.text }), false); },
  text(said) {
    const follow = nearEnd();
    if (writing?.who !== said.who) {
      quiet();
      const words = make("div", { className: "said" });
      $("writing").append(make("article", {}, make("header", {}, person(said.who, true)), words));
      writing = { who: said.who, words };
    }
    writing.words.textContent += said.text;
    if (follow) toEnd();
  },
  table(said) { page.table = said; if (!page.past) drawTable(said); },
  status(said) { page.status = said; drawStatus(said); },
  question(said) { drawQuestion(said); },
  badges(said) { page.badges = said.badges; },
  failed(said) { fault(said.text); },
  all(said) {
    messages.replaceChildren();
    quiet();
    Object.assign(page, { badges: said.badges, seat: said.seat });
    page.last = Math.max(0, ...said.told.map((each) => each.number || 0));
    for (const each of said.told) shows[each.kind](each);
    unseen = 0;
    news.hidden = true;
    slider.max = page.last;
    slider.value = page.last;
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "center" });
    else toEnd();
  },
};
const quiet = () => { $("writing").replaceChildren(); writing = null; };

const drawTable = (said) => {
  const cards = said.cards.map((card) => {
    const stands = Object.entries(card.stands).map(([word, who]) =>
      make("p", { className: "stand" }, make("span", { className: "quiet", textContent: word }), ...who.map((each) => {
        const one = person(each.who);
        if (each.why) one.title = each.why;
        return one;
      })));
    const by = card.by ? make("p", { className: "quiet" }, `${card.id}, put by ${card.by} in `, make("a", { href: `#m${card.message}`, textContent: `m${card.message}` }))
      : make("p", { className: "quiet", textContent: `${card.id}, given with the question` });
    return make("article", { className: "card" }, make("p", { className: "wording", textContent: card.text }), by, ...stands, moves(card));
  });
  const rest = Object.entries(said.rest).map(([head, lines]) => make("section", { className: "rest" }, make("h3", { textContent: head }),
    ...lines.map((line) => make("p", {}, ...linked(line)))));
  const none = cards.length || rest.length ? "" : make("p", { className: "quiet", textContent: "Nothing is on the table yet." });
  $("cards").replaceChildren(make("h2", { textContent: "On the table" }), ...rest.filter((each) => each.firstChild.textContent === "Decided"), ...cards, none, ...rest.filter((each) => each.firstChild.textContent !== "Decided"));
  $("tab-table").textContent = `On the table · ${said.cards.length}`;
};

const shapes = { running: "live", paused: "bars", ended: "disc" };
const drawStatus = (said) => {
  page.live = said.here && said.state !== "ended";
  const left = said.left && said.state === "running" ? `, ${said.left} left` : "";
  const parts = [said.state, said.state === "ended" ? "" : said.why, said.phase && said.state === "running" ? said.phase : "", `${said.messages} messages${left}`, said.took, said.time];
  const status = $("status");
  status.className = `state ${shapes[said.state] || "ring"}`;
  status.textContent = parts.filter(Boolean).join(" · ");
  $("pause").hidden = !page.live;
  $("pause").textContent = said.state === "paused" ? "Resume" : "Pause";
  $("next").hidden = !(page.live && said.state === "paused");
  $("resume").hidden = said.here || said.state === "running";
  $("report").hidden = said.state !== "ended";
  drawSeat();
  if (page.table && !page.past) drawTable(page.table);
};

$("pause").addEventListener("click", () => act(page.status?.state === "paused" ? "go-on" : "pause"));
$("next").addEventListener("click", () => act("next").then((done) => done && act("go-on")));
$("resume").addEventListener("click", () => act("resume", "", page.status?.state === "ended" ? { messages: page.status.messages + 12 } : {}));
$("note").addEventListener("submit", async (event) => {
  event.preventDefault();
  if ($("noted").value.trim() && await act("note", $("noted").value)) $("noted").value = "";
});
news.addEventListener("click", toEnd);
talk.addEventListener("scroll", () => { if (nearEnd()) { unseen = 0; news.hidden = true; } }, { passive: true });

// Time travel: the same log, folded up to a message.
const travel = async (number) => {
  page.past = number < page.last ? number : 0;
  $("back").hidden = $("banner").hidden = !page.past;
  $("moment").textContent = page.past ? `m${page.past}` : "now";
  for (const each of messages.querySelectorAll("article")) each.classList.toggle("later", page.past > 0 && Number(each.id.slice(1)) > page.past);
  if (!page.past) return page.table && drawTable(page.table);
  $("banner").textContent = `You are looking at the table as it stood after m${page.past}.`;
  document.getElementById(`m${page.past}`)?.scrollIntoView({ block: "center" });
  const answer = await fetch(`${base}/at/${page.past}`);
  if (answer.ok && page.past === number) drawTable((await answer.json())[0]);
};
slider.addEventListener("change", () => travel(Number(slider.value)));
$("back").addEventListener("click", () => { slider.value = page.last; travel(page.last).then(toEnd); });

for (const [tab, panel] of [["tab-talk", "talk"], ["tab-table", "table"]]) $(tab).addEventListener("click", () => {
  document.body.dataset.tab = panel;
  for (const each of ["tab-talk", "tab-table"]) $(each).setAttribute("aria-selected", String(each === tab));
});

addEventListener("keydown", (key) => {
  if (key.target.matches("input, textarea, select, button, a, summary") && key.key !== "Escape" || key.ctrlKey || key.metaKey || key.altKey) return;
  const go = (step) => {
    const all = [...messages.querySelectorAll("article")];
    const at = all.findIndex((each) => each.getBoundingClientRect().top > 90);
    all[Math.max(0, Math.min(all.length - 1, (at < 0 ? all.length : at) + step))]?.scrollIntoView();
  };
  const does = { j: () => go(1), k: () => go(-1), " ": () => !$("pause").hidden && $("pause").click(), n: () => !$("next").hidden && $("next").click(),
    "[": () => { slider.value = Math.max(1, (page.past || page.last) - 1); travel(Number(slider.value)); }, "]": () => { slider.value = (page.past || page.last) + 1; travel(Number(slider.value)); },
    l: () => $("back").click(), Escape: () => key.target.blur?.() };
  if (does[key.key]) { key.preventDefault(); does[key.key](); }
});

const source = new EventSource(`${base}/events`);
source.onmessage = (event) => {
  const said = JSON.parse(event.data);
  fault("");
  shows[said.kind]?.(said);
};
source.onerror = () => fault(`Connection lost, last m${page.last}. Trying again.`);
