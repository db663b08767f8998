// A session's page. All text goes in as text: nothing that a model, a member or a file wrote is markup here.
const session = document.body.dataset.session;
const base = `/s/${encodeURIComponent(session)}`;
const $ = (id) => document.getElementById(id);
const messages = $("messages"), table = $("table"), talk = $("talk"), slider = $("slider"), news = $("news");
let badges = {}, seat = "", now = {}, live = null, past = 0, last = 0, unseen = 0, asked = "", writing = null;

const make = (tag, given = {}, ...inside) => {
  const node = Object.assign(document.createElement(tag), given);
  node.append(...inside.filter((each) => each !== null && each !== ""));
  return node;
};
const badge = (who) => {
  const one = badges[who];
  if (!one) return "";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("viewBox", "0 0 22 22");
  use.setAttribute("href", `#${one.shape}`);
  svg.append(use);
  const mark = make("span", { className: `badge c${one.colour}` }, svg, make("b", { textContent: one.initials }));
  mark.setAttribute("aria-hidden", "true");
  return mark;
};
const person = (who, role = false) =>
  make("span", { className: "who" }, badge(who), who, role && badges[who]?.role ? make("small", { textContent: badges[who].role }) : "");

// Text with links to the messages that it names.
const linked = (text) => {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(/(?<![\w.@-])m(\d{1,6})(?![\w@-])/g)) {
    if (Number(match[1]) > last) continue;
    parts.push(text.slice(from, match.index), make("a", { href: `#${match[0]}`, textContent: match[0] }));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
};

const nearEnd = () => scroller().scrollHeight - scroller().scrollTop - scroller().clientHeight < 40;
const scroller = () => talk;
const toEnd = () => { scroller().scrollTop = scroller().scrollHeight; unseen = 0; news.hidden = true; };
const add = (node, counts = true) => {
  const follow = nearEnd();
  messages.append(node);
  if (follow && !past) toEnd();
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
    last = Math.max(last, said.number);
    if (writing?.who === said.who) quiet();
    add(message(said));
    slider.max = last;
    if (!past) slider.value = last;
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
  table(said) { now.table = said; if (!past) drawTable(said); },
  status(said) { now.status = said; drawStatus(said); },
  question(said) { drawQuestion(said); },
  badges(said) { badges = said.badges; },
  failed(said) { fault(said.text); },
  all(said) {
    messages.replaceChildren();
    quiet();
    ({ badges, seat } = said);
    last = Math.max(0, ...said.told.map((each) => each.number || 0));
    for (const each of said.told) shows[each.kind](each);
    unseen = 0;
    news.hidden = true;
    slider.max = last;
    slider.value = last;
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
    const buttons = seat && live && !past ? make("p", { className: "acts" }, ...["Support", "Oppose", "Amend"].map((word) => {
      const button = make("button", { type: "button", textContent: word });
      button.setAttribute("aria-label", `${word} ${card.id}`);
      button.addEventListener("click", () => draft(`[${word.toUpperCase()} ${card.id}] `));
      return button;
    })) : "";
    return make("article", { className: "card" }, make("p", { className: "wording", textContent: card.text }), by, ...stands, buttons);
  });
  const rest = Object.entries(said.rest).map(([head, lines]) => make("section", { className: "rest" }, make("h3", { textContent: head }),
    ...lines.map((line) => make("p", {}, ...linked(line)))));
  const none = cards.length || rest.length ? "" : make("p", { className: "quiet", textContent: "Nothing is on the table yet." });
  table.replaceChildren(make("h2", { textContent: "On the table" }), ...rest.filter((each) => each.firstChild.textContent === "Decided"), ...cards, none, ...rest.filter((each) => each.firstChild.textContent !== "Decided"));
  $("tab-table").textContent = `On the table · ${said.cards.length}`;
};

const shapes = { running: "live", paused: "bars", ended: "disc" };
const drawStatus = (said) => {
  live = said.here && said.state !== "ended";
  const left = said.left && said.state === "running" ? `, ${said.left} left` : "";
  const parts = [said.state, said.state === "ended" ? "" : said.why, said.phase && said.state === "running" ? said.phase : "", `${said.messages} messages${left}`, said.took, said.time];
  const status = $("status");
  status.className = `state ${shapes[said.state] || "ring"}`;
  status.textContent = parts.filter(Boolean).join(" · ");
  $("pause").hidden = !live;
  $("pause").textContent = said.state === "paused" ? "Resume" : "Pause";
  $("next").hidden = !(live && said.state === "paused");
  $("resume").hidden = said.here || said.state === "running";
  $("report").hidden = said.state !== "ended";
  $("seat").hidden = !(seat && live);
  if (now.table && !past) drawTable(now.table);
};

const drawQuestion = (said) => {
  asked = said.purpose;
  document.getElementById("vote")?.remove();
  const votes = asked === "ballot" || asked === "poll";
  $("words").placeholder = asked === "speak" ? "You have the floor: speak, or leave it empty to pass" : `Say something as ${seat}`;
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
  table.prepend(form);
};

const fault = (text) => { $("error").textContent = text; $("error").hidden = !text; };
const act = async (what, text = "", more = {}) => {
  fault("");
  try {
    const answer = await fetch(`${base}/do`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: what, text, ...more }) });
    const said = await answer.json();
    if (!answer.ok) throw new Error([said.error, said.hint].filter(Boolean).join(" "));
    return true;
  } catch (error) {
    fault(error.message);
    return false;
  }
};
const draft = (text) => { $("words").value += ($("words").value ? "\n" : "") + text; $("words").focus(); };

$("pause").addEventListener("click", () => act(now.status?.state === "paused" ? "go-on" : "pause"));
$("next").addEventListener("click", () => act("next").then((done) => done && act("go-on")));
$("resume").addEventListener("click", () => act("resume", "", now.status?.state === "ended" ? { messages: now.status.messages + 12 } : {}));
$("seat").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("words").value;
  if ((asked === "speak" || text.trim()) && await act(asked === "speak" ? "answer" : "say", text)) $("words").value = "";
});
$("note").addEventListener("submit", async (event) => {
  event.preventDefault();
  if ($("noted").value.trim() && await act("note", $("noted").value)) $("noted").value = "";
});
news.addEventListener("click", toEnd);
talk.addEventListener("scroll", () => { if (nearEnd()) { unseen = 0; news.hidden = true; } }, { passive: true });

// Time travel: the same log, folded up to a message.
const travel = async (number) => {
  past = number < last ? number : 0;
  $("back").hidden = $("banner").hidden = !past;
  $("moment").textContent = past ? `m${past}` : "now";
  for (const each of messages.querySelectorAll("article")) each.classList.toggle("later", past > 0 && Number(each.id.slice(1)) > past);
  if (!past) return now.table && drawTable(now.table);
  $("banner").textContent = `You are looking at the table as it stood after m${past}.`;
  document.getElementById(`m${past}`)?.scrollIntoView({ block: "center" });
  const answer = await fetch(`${base}/at/${past}`);
  if (answer.ok && past === number) drawTable((await answer.json())[0]);
};
slider.addEventListener("change", () => travel(Number(slider.value)));
$("back").addEventListener("click", () => { slider.value = last; travel(last).then(toEnd); });

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
    "[": () => { slider.value = Math.max(1, (past || last) - 1); travel(Number(slider.value)); }, "]": () => { slider.value = (past || last) + 1; travel(Number(slider.value)); },
    l: () => $("back").click(), Escape: () => key.target.blur?.() };
  if (does[key.key]) { key.preventDefault(); does[key.key](); }
});

const source = new EventSource(`${base}/events`);
source.onmessage = (event) => {
  const said = JSON.parse(event.data);
  fault("");
  shows[said.kind]?.(said);
};
source.onerror = () => fault(`Connection lost, last m${last}. Trying again.`);
