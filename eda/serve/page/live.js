// A session's page: the talk, where the debate stands, and the way back in time.
import { openDocument, whenCited } from "./document.js";
import { $, act, badge, base, citing, fault, forget, keeps, linked, make, page, say, words } from "./parts.js";
import { drawKept, forgetVote } from "./ballot.js";
import { drawNow, drawQuestion, drawSaidBack, drawSeat, drawWaiting, placeSaidBack, whenSent } from "./seat.js";
import { drawTrial, openFork, openSteer, openTrial } from "./steer.js";
import { drawTable, drawVerdict } from "./table.js";
import { turn } from "./theme.js";

const messages = $("messages"), talk = $("talk"), slider = $("slider"), news = $("news");
const NEAR = 40, AT_ONCE = 30, A_WHILE = 12, A_MOMENT = 6000;
let unseen = 0, votes = null, writing = new Map(), fresh = null, before = null, drawn = null, drawing = false, verdict = null, late = [];

const nearEnd = () => talk.scrollHeight - talk.scrollTop - talk.clientHeight < NEAR;
// What is out of sight has an assumed height until it is drawn, so one step may not reach the place.
// A reader who leaves the end meanwhile is not taken back to it.
const settled = (go, times = 4) => {
  go();
  const left = talk.scrollTop, stays = () => go !== toEnd || talk.scrollTop >= left || nearEnd();
  if (times) requestAnimationFrame(() => stays() && settled(go, times - 1));
};
let atEnd = true;
const toEnd = () => { atEnd = true; talk.scrollTop = talk.scrollHeight; unseen = 0; news.hidden = true; };
const following = (change) => {
  const follow = nearEnd() && !page.past;
  change();
  if (follow) settled(toEnd);
  return follow;
};
const add = (node, counts = false) => {
  if (fresh) return fresh.append(node);
  node.hidden = page.past > 0;
  if (following(() => messages.append(node)) || !counts) return;
  unseen += 1;
  news.textContent = say(unseen === 1 ? "new-one" : "new-many", { n: unseen });
  news.hidden = page.past > 0;
};

const head = (who, number, about) => make("header", {}, badge(who), make("b", { textContent: who }), make("span", { className: "quiet" }, ...about),
  number ? make("a", { href: `#m${number}`, textContent: `m${number}` }) : "");
// The paragraphs of a message; each citation is looked for behind the one before it.
const paragraphs = ({ text, cites }) => {
  let from = 0;
  return text.split(/\n{2,}/).map((each) => {
    const own = [];
    for (let at = 0; from < cites.length && (at = each.indexOf(cites[from].words, at)) >= 0; from++) { own.push(cites[from]); at += cites[from].words.length; }
    return make("p", {}, ...citing(each, own));
  });
};
const fill = (node, said) => {
  const about = [page.badges[said.who]?.role, said.to && say("spoken-to", { who: said.to })].filter(Boolean).join(", ");
  const answers = said.answers ? linked(`${about ? ", " : ""}${say("answering", { message: `m${said.answers}` })}`) : [];
  node.append(head(said.who, said.number, [about, ...answers]), said.text ? make("div", { className: "said" }, ...paragraphs(said)) : "",
    said.acts.length ? make("ul", { className: said.text ? "read" : "read alone" }, ...said.acts.map((one) => make("li", {}, ...linked(one, true)))) : "");
};
// Of a long session the last messages are there at once. An earlier one has its place and an assumed height, and is filled soon: nothing moves.
const message = (said) => {
  whenCited(said);
  Object.assign(page.titles, said.titles);
  const node = make("article", { id: `m${said.number}` });
  if (fresh && said.number <= page.last - AT_ONCE) late.push([node, said]);
  else fill(node, said);
  return node;
};
const fillLate = (until = Infinity) => {
  while (late.length && performance.now() < until) fill(...late.pop());
  if (late.length) whenIdle(() => fillLate(performance.now() + A_WHILE));
  else messages.removeAttribute("aria-busy");
};
const whenIdle = (go) => (window.requestIdleCallback ?? setTimeout)(go, { timeout: 100 });  // Safari has none
// What comes together is drawn once, after the frame that shows the messages.
const redraw = () => {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => setTimeout(() => {
    drawing = false;
    if (verdict) drawVerdict(verdict);
    verdict = null;
    if (page.table && !page.past) drawTable(page.table);
  }));
};

// The row of somebody who writes; it is there before the first word, so that nothing moves when this comes.
const row = (who) => {
  if (!writing.has(who)) {
    const said = make("span"), mark = make("span", { className: `caret c${page.badges[who]?.colour ?? 1}` });
    const node = make("article", {}, head(who, 0, [words.speaking]), make("div", { className: "said" }, said, mark));
    writing.set(who, { node, said });
    following(() => $("writing").append(node));
  }
  return writing.get(who);
};
const quiet = (who) => { writing.get(who)?.node.remove(); writing.delete(who); };

// What the person at this page has sent and the panel has not heard yet.
const mine = [];
const heard = () => {
  const now = page.status, who = now?.speaking;
  if (!page.live) return words["got-unread"];
  if (now.votes && now.to_vote.length) return words[now.ballots ? "got-voting" : "got-this-vote"];
  if (now.sealed) return words["got-sealed"];
  return who && who !== page.seat ? say("got-after", { who }) : words["got-turn"];
};
whenSent((text) => {
  const told = make("span", { textContent: words.sending });
  const node = make("article", { className: "mine" }, head(page.seat, 0, [told]), make("div", { className: "said" }, ...text.split(/\n{2,}/).map((each) => make("p", { textContent: each }))));
  if (page.past) travel(page.last);
  mine.push(node);
  $("writing").append(node);
  if (!$("vote")) show("talk");
  settled(toEnd);
  return {
    received() {
      node.says = () => { told.textContent = heard(); };
      node.says();
      if (!$("vote") || !mine.includes(node)) return;
      fault(told.textContent, $("offline"));  // on a phone the ballot is before the talk
      setTimeout(() => fault("", $("offline")), A_MOMENT);
    },
    remove() { node.remove(); if (mine.includes(node)) mine.splice(mine.indexOf(node), 1); },
  };
});

const TRIES = 3, AGAIN = 15_000;
let lost = 0;
const shows = {
  message(said) {
    if (fresh) return add(message(said));
    page.last = Math.max(page.last, said.number);
    const before = $(`m${said.number}`);
    if (before) return following(() => before.replaceWith(message(said)));  // its acts are read now
    if (said.who === page.seat) { mine.shift()?.remove(); fault("", $("offline")); }
    following(() => { quiet(said.who); add(message(said), true); if (said.who === page.seat) placeSaidBack(); });
    reach();
  },
  line(said) { quiet(said.who); add(make("p", { className: "line quiet" }, ...linked(said.text))); },
  phase(said) {
    const text = `${titled(said.text)}${said.why ? `: ${said.why}` : ""}`;
    votes = { head: make("h2", { className: "phase", textContent: text }), text, who: new Set() };
    add(votes.head);
  },
  voted(said) {
    votes?.who.add(said.who);
    if (votes) votes.head.textContent = `${votes.text} · ${say("ballots-in", { n: votes.who.size, of: page.status?.members.length ?? Object.keys(page.badges).length })}`;
  },
  text(told) { const { said } = row(told.who); following(() => { said.textContent = (told.whole ? "" : said.textContent) + told.text; }); },
  table(said) { page.table = said; drawPut(); redraw(); },
  verdict(said) {
    verdict = said;
    if (said.rows?.length && !page.verdict) {
      forgetVote();
      fault("", $("offline"));
      if (!location.hash && document.activeElement !== $("words")) { show("table"); $("table").scrollTop = 0; }  // a phone's page opens at the verdict
    }
    redraw();
  },
  status(said) {
    page.status = said;
    drawStatus(said);
    drawKept();
    for (const each of mine) each.says?.();
    for (const [who, each] of [...writing]) if (said.state !== "running" || (who !== said.speaking && !each.said.textContent)) following(() => quiet(who));
    if (said.speaking && said.speaking !== page.seat) row(said.speaking);
  },
  question(said) { drawQuestion(said); },
  "said-back"(said) { following(() => drawSaidBack(said)); },
  waiting(said) { following(() => drawWaiting(said)); },
  seat(said) { page.seat = said.seat; if (page.status) drawStatus(page.status); },
  left() { location.reload(); },
  closed() {
    if (page.past) travel(page.last);
    page.closed = true;
    $("ballot").replaceChildren();
    document.body.dataset.closed = "";
    drawQuestion({ purpose: "" });
    if (page.status) drawStatus(page.status);
    const ended = page.status?.state === "ended";
    if (!ended) setInterval(async () => { if ((await fetch(base, { method: "HEAD" }).catch(() => null))?.ok) location.reload(); }, AGAIN);
    following(() => fault(`${words.closed} ${words[ended ? "closed-ended" : "closed-open"]}`, $(ended ? "offline" : "error")));
  },
  badges(said) { page.badges = said.badges; },
  failed(said) { fault(said.text); },
  all(said) {
    for (const who of [...writing.keys()]) quiet(who);
    Object.assign(page, { badges: said.badges, seat: said.seat, owner: said.owner });
    for (const each of ["documents", "papers"]) $(each).hidden = !said.documents;
    page.last = Math.max(0, ...said.told.map((each) => each.number || 0));
    fresh = document.createDocumentFragment();
    late = [];
    for (const each of said.told) shows[each.kind](each);
    messages.replaceChildren(fresh);
    fresh = null;
    messages.setAttribute("aria-busy", "true");
    whenIdle(() => fillLate(performance.now() + A_WHILE));
    reach();
    drawSince(said.told);
    if (location.hash.length > 1) goTo(location.hash);
    else if (page.past) travel(page.past);
    else if ($("talk").querySelector(".since")) settled(() => $("talk").querySelector(".since").scrollIntoView());
    else settled(toEnd);
  },
};
const reach = () => {
  slider.max = page.last;
  if (!page.past) slider.value = page.last;
  slider.style.setProperty("--at", page.last > 1 ? (slider.value - 1) / (page.last - 1) : 1);
  $("end").textContent = page.last ? `m${page.last}` : "";
  slider.setAttribute("aria-valuetext", page.past ? `m${page.past}` : $("moment").textContent);
};

const moment = () => { $("moment").textContent = page.past ? say("after", { message: `m${page.past}` }) : words[{ ended: "the-end", running: "live" }[page.status?.state] ?? "now"]; };
const titled = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
const state = (said) => said.state === "ended" ? (said.decided ? ["disc", words.decided] : ["ring", words.undecided]) : { running: ["live", words.live], paused: ["bars", words.paused] }[said.state] ?? ["ring", words.unfinished];
const drawStatus = (said) => {
  page.live = said.here && said.state !== "ended" && !page.closed;
  const [shape, word] = state(said), wide = (...inside) => make("span", { className: "wide" }, ...inside);
  const path = said.phases.map((each) => make(each === said.phase ? "b" : "span", { textContent: titled(said.named[each]) }));
  const running = said.state === "running" && said.phase, by = said.state === "paused" && said.paused_by;
  $("status").replaceChildren(running ? "" : make("span", { className: `state ${shape}`, textContent: by ? say(said.votes ? "paused-vote" : "paused-by", { who: by }) : word }),
    said.phase && said.here && said.state !== "ended" ? make("span", { className: "path wide" }, ...path) : "",
    make("span", {}, make("b", { textContent: said.most >= said.messages && said.state !== "ended" ? say("n-of", { n: said.messages, of: said.most }) : said.messages }), ` ${words.messages}`, said.most && said.messages > said.most ? `, ${say("unplanned", { n: said.messages - said.most })}` : ""),
    said.mark ? make("b", { textContent: said.mark }) : "", said.asks ? wide(say("asks-for", { what: said.asks })) : "",
    wide(said.took), wide(said.time), said.watching > 1 ? wide(say("watching", { n: said.watching })) : "", said.why && !running && !by && said.state !== "ended" ? wide(said.why) : "");
  document.body.toggleAttribute("data-ended", said.state === "ended");  // what was counted stays: nothing can be taken back
  document.title = `${said.mark}${document.querySelector("h1").textContent}`;
  const shown = { pause: page.live, next: page.live, steer: said.most > 0, resume: !said.here && said.state !== "running" && said.most > 0 && !said.trying, report: said.state === "ended" };
  for (const [id, is] of Object.entries(shown)) $(id).hidden = !is;
  if ($("try")) $("try").hidden = said.state !== "ended" || !said.testable;
  drawTrial(said);
  $("past").querySelector("span").textContent = words[said.state === "ended" ? "has-ended" : "goes-on"];
  $("pause").textContent = words[said.state === "paused" ? "resume" : "pause"];
  $("next").disabled = said.state !== "paused";
  moment();
  drawSeat();
  $("note").hidden = page.past > 0 || !$("seat").hidden;
  if (page.past) $("seat").hidden = true;
  drawNow();
  if (drawn !== page.live) { drawn = page.live; redraw(); }
};

// Goes to a message or a text, wherever it is folded away.
const goTo = (hash) => {
  const id = decodeURIComponent(hash.slice(1)), node = $(id) ?? $(id.replace(/^p(\d+)[.@]\d+$/, "m$1"));
  if (!node) return;
  fillLate();
  if (page.past && node.hidden) travel(page.last, false);
  for (let up = node; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  show(node.closest("#table") ? "table" : "talk");
  for (const each of document.querySelectorAll(".marked")) each.classList.remove("marked");
  node.classList.add("marked");
  settled(() => node.scrollIntoView({ block: node.offsetHeight > talk.clientHeight ? "start" : "center" }));
};
addEventListener("click", (event) => {
  const cite = event.target.closest?.("a.cite");
  if (cite && !event.ctrlKey && !event.metaKey) { event.preventDefault(); return openDocument(...cite.hash.slice(1).split(".").map(Number), cite); }
  const link = event.target.closest?.('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  history.pushState(null, "", link.hash);
  goTo(link.hash);
});
addEventListener("popstate", () => location.hash && goTo(location.hash));

// What has happened since this browser was here last, in a paragraph; it stands where the new messages begin.
const SEEN = `seen ${base}`, FEW = 2;
const seen = (at) => { try { return at ? localStorage.setItem(SEEN, at) : (localStorage.getItem(SEEN) ?? "").split(" ").map(Number); } catch { return [0]; } };
const drawSince = (told) => {
  for (const each of document.querySelectorAll(".since")) each.remove();
  const [from, at = 0] = seen(), is = (each, after) => each.kind === "message" && (after ? each.number > from : each.number === from), said = told.filter((each) => is(each, true));
  const phases = told.slice(told.findIndex((each) => is(each)) + 1).filter((each) => each.kind === "phase" && each.seq > at).map((each) => titled(each.text));
  if (!page.seat || !from || (said.length < FEW && !phases.length)) return;
  const who = [...new Set(said.map((each) => each.who))].filter((each) => each !== page.seat), numbers = (all) => all.map((each) => `m${each.number}`).join(" ");
  const toMe = said.filter((each) => each.to === page.seat);
  const node = make("p", { className: "since note" }, make("b", { textContent: say("since", { message: `m${from}` }) }), " ", ...(said.length ? linked(say("since-said", { n: said.length, who: who.join(", "), message: `m${said[0].number}` })) : []),
    ...(toMe.length ? linked(` ${say("since-to-you", { messages: numbers(toMe) })}`) : []), phases.length ? ` ${say("since-phases", { phases: phases.join(", ") })}` : "", make("span", { className: "put" }));
  node.dataset.from = from;
  if (said.length) $(`m${said[0].number}`).before(node);
  else messages.append(node);
  $("table").prepend(node.cloneNode(true));  // a phone may open at the ballot
};
// The texts that were put since, once the table has told them.
const drawPut = () => {
  const all = [...document.querySelectorAll(".since")], node = all[0], put = page.table.cards.flatMap((card) => card.texts).filter((one) => node && one.message > node.dataset.from && one.by !== page.seat);
  for (const each of all) each.querySelector(".put").replaceChildren(...(put.length ? [` ${words["since-put"]} `, ...put.flatMap((one, at) => [at ? "; " : "", make("a", { href: `#${one.id}`, textContent: one.title })]), "."] : []));
};
const leaves = () => page.seat && page.last && seen(`${page.last} ${page.seq}`);
addEventListener("pagehide", () => leaves());
document.addEventListener("visibilitychange", () => document.hidden && leaves());

// Time travel: the same log, folded up to a message. Only this page looks back.
let wanted = null;
const travel = async (number, back = true) => {
  if (page.closed && number < page.last) {
    slider.value = page.last;
    reach();
    return fault(words.closed);
  }
  const was = page.past;
  fillLate();
  if (!was) before = nearEnd() ? null : talk.scrollTop;
  page.past = number < page.last ? Math.max(1, number) : 0;
  slider.value = page.past || page.last;
  reach();
  $("past").hidden = !page.past;
  moment();
  $("writing").hidden = page.past > 0;
  let later = false;
  for (const each of messages.children) {
    each.hidden = later;
    later ||= page.past > 0 && each.id === `m${page.past}`;
  }
  $("verdict").hidden = page.past > 0;
  if (page.status) drawStatus(page.status);
  wanted?.abort();
  if (!page.past) {
    if (page.table) drawTable(page.table);
    if (back && was) before === null ? settled(toEnd) : settled(() => { talk.scrollTop = before; });
    news.hidden = !unseen;
    return;
  }
  news.hidden = true;
  $("banner").textContent = say("looking-at", { message: `m${page.past}` });
  settled(() => { talk.scrollTop = talk.scrollHeight; });
  wanted = new AbortController();
  const slow = setTimeout(() => $("cards").replaceChildren(make("p", { className: "quiet", textContent: say("looking-back", { message: `m${number}` }) })), 400);
  try {
    const answer = await fetch(`${base}/at/${page.past}`, { signal: wanted.signal });
    const [table, then] = await answer.json();
    clearTimeout(slow);
    if (!answer.ok || page.past !== number) return;
    drawTable(table);
    $("cards").firstChild.after(make("p", { className: "quiet then", textContent: `${titled(then.named[then.phase] ?? then.phase)} · ${then.most >= then.messages ? say("n-of", { n: then.messages, of: then.most }) : then.messages} ${words.messages} · ${then.took}` }));
  } catch (error) {
    if (error.name !== "AbortError") fault(page.closed ? words.closed : words["no-server"]);
  } finally {
    clearTimeout(slow);
  }
};
let turning = 0;
slider.addEventListener("input", () => { slider.style.setProperty("--at", (slider.value - 1) / Math.max(1, page.last - 1)); clearTimeout(turning); turning = setTimeout(() => travel(Number(slider.value)), 60); });
$("back").addEventListener("click", () => travel(page.last));
$("fork").addEventListener("click", () => openFork(page.past));

const show = (panel) => {
  document.body.dataset.tab = panel;
  for (const each of ["talk", "table"]) $(`tab-${each}`).setAttribute("aria-selected", String(each === panel));
};
for (const panel of ["talk", "table"]) $(`tab-${panel}`).addEventListener("click", () => show(panel));
// A swipe goes to the other side of a phone's page.
const SWIPE = 70;
let from = null;
addEventListener("touchstart", ({ target, touches }) => { from = touches.length === 1 && !target.closest("input, textarea, select, .grip, dialog, table") ? touches[0] : null; }, { passive: true });
addEventListener("touchend", ({ changedTouches: [to] }) => {
  const across = from ? to.clientX - from.clientX : 0, down = from ? to.clientY - from.clientY : 0;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) show(across < 0 ? "table" : "talk");
}, { passive: true });

// With a phone's keyboard open the page is as high as what is seen, and has only what one writes with.
const KEYBOARD = 560;
const fit = () => {
  const narrow = matchMedia("(max-width: 760px)").matches, seen = visualViewport.height;
  document.body.classList.toggle("typing", narrow && seen < KEYBOARD);
  document.body.style.height = narrow && seen < innerHeight - 1 ? `${seen}px` : "";
  if (atEnd && !page.past) toEnd();
};
visualViewport.addEventListener("resize", fit);
fit();

const menu = (open) => { $("menu").setAttribute("aria-expanded", String(open)); };
$("menu").addEventListener("click", () => menu($("menu").getAttribute("aria-expanded") === "false"));
$("more").addEventListener("click", () => menu(false));

$("pause").addEventListener("click", () => act(page.status?.state === "paused" ? "go-on" : "pause"));
$("next").addEventListener("click", () => act("next").then((done) => done && act("go-on")));
$("resume").addEventListener("click", () => act("resume", "", page.status?.state === "ended" ? { messages: page.status.messages + 12 } : {}));
$("steer").addEventListener("click", openSteer);
$("try")?.addEventListener("click", openTrial);
for (const each of ["documents", "papers"]) $(each).addEventListener("click", () => openDocument(0, 0, 0, $(each)));
$("note").addEventListener("submit", async (event) => {
  event.preventDefault();
  if ($("noted").value.trim() && await act("note", $("noted").value)) forget($("noted"));
});
keeps($("noted"), "note");
// The report is another page: where its server is gone, this one stays.
$("report").addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await fetch("/static/theme.js", { method: "HEAD", cache: "no-store" });
    location.href = $("report").href;
  } catch {
    fault(say("no-report", { session: document.body.dataset.session }));
  }
});
news.addEventListener("click", () => settled(toEnd));
talk.addEventListener("scroll", () => { atEnd = nearEnd(); if (unseen && nearEnd()) { unseen = 0; news.hidden = true; } }, { passive: true });

const step = (by) => {
  const all = [...messages.querySelectorAll("article:not([hidden])")], top = talk.getBoundingClientRect().top + 8;
  const at = all.findIndex((each) => each.getBoundingClientRect().bottom > top);
  const to = all[Math.max(0, Math.min(all.length - 1, (at < 0 ? all.length - 1 : at) + by))];
  if (to) settled(() => to.scrollIntoView({ block: "start" }));
};
const keys = {
  j: () => step(1), k: () => step(-1), " ": () => !page.owner || $("pause").hidden || $("pause").click(), n: () => !page.owner || $("next").hidden || $("next").click(),
  "[": () => travel((page.past || page.last) - 1), "]": () => page.past && travel(page.past + 1), l: () => page.past && travel(page.last),
  "/": () => { location.href = "/#q"; }, t: turn, "?": () => $("help").showModal(), Escape: () => (menu(false), document.activeElement?.blur()),
};
addEventListener("keydown", (key) => {
  const typing = key.target.matches?.("input:not([type=range]), textarea, select") || document.querySelector("dialog[open]");
  const pressing = key.key === " " && key.target.matches?.("button, a, summary, [type=range]");
  if (key.defaultPrevented || (typing && key.key !== "Escape") || document.querySelector("dialog[open]") || pressing || key.ctrlKey || key.metaKey || key.altKey || !Object.hasOwn(keys, key.key)) return;
  key.preventDefault();
  keys[key.key]();
});

const connect = () => {
  const source = new EventSource(`${base}/events${page.seq ? `?after=${page.seq}` : ""}`);
  source.onopen = () => { lost = 0; fault("", $("offline")); };
  source.onmessage = (event) => {
    const said = JSON.parse(event.data);
    if (said.seq && said.seq <= page.seq && said.kind !== "all") return;
    page.seq = said.seq ?? page.seq;
    shows[said.kind]?.(said);
  };
  source.onerror = () => {
    lost += 1;
    if (!page.closed && page.status?.state === "ended" && lost > TRIES) {
      fault("", $("offline"));
      shows.closed();
    }
    if (page.closed) return source.close();
    fault(page.last ? say("lost-at", { message: `m${page.last}` }) : words.lost, $("offline"));
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 2000);  // the browser itself tries again only where nobody answers
  };
};
for (const each of document.querySelectorAll('dialog [value="close"]')) each.addEventListener("click", () => each.closest("dialog").close());
document.querySelector("h1").title = document.title;
connect();
