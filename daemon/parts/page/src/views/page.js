// What the page does beyond links and forms: it takes in pieces of HTML as things happen, loads what is opened, sends small
// forms without a new page, counts timers down, asks before something is taken away, and leads to the search by a key. Every view works without it.
"use strict";

const byId = (id) => document.getElementById(id);

// A piece of HTML as the server has rendered and escaped it.
const element = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
};

const isAtEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < 40;
const toEnd = (box) => { box.scrollTop = box.scrollHeight; };

const opened = (root) =>
  [...root.querySelectorAll("details[id]")].filter((details) => details.open).map((details) => details.id);

// What a person has opened, focused or scrolled to stays so.
const put = ({ id, into, first, html }) => {
  const old = byId(id);
  // What a person is typing is not taken away from under them.
  if (old?.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) return;
  const piece = element(html);
  const box = (old || (into && byId(into)))?.closest(".lines, .log") || (into && byId(into));
  const follows = box && box.matches(".lines, .log") && isAtEnd(box);
  if (old) {
    const focused = old.contains(document.activeElement) ? document.activeElement.closest("[id]")?.id : null;
    for (const name of opened(old)) piece.querySelector(`#${CSS.escape(name)}`)?.setAttribute("open", "");
    for (const loaded of old.querySelectorAll("[data-loaded]")) {
      const same = [...piece.querySelectorAll("[data-load]")].find((one) => one.dataset.load === loaded.dataset.load);
      same?.replaceWith(loaded);
    }
    const top = old.scrollTop;
    old.replaceWith(piece);
    piece.scrollTop = top;
    if (focused) byId(focused)?.focus();
  } else if (into && byId(into)) {
    byId(into)[first ? "prepend" : "append"](piece);
    while (byId(into).children.length > 200) byId(into)[first ? "lastElementChild" : "firstElementChild"].remove();
  }
  if (follows) toEnd(byId(box.id) || box);
  // What takes the place of a target is none.
  if (location.hash) byId(decodeURIComponent(location.hash.slice(1)))?.classList.add("sought");
};

const watch = (path) => {
  const events = new EventSource(path);
  const lost = byId("connection");
  events.addEventListener("put", (event) => put(JSON.parse(event.data)));
  events.addEventListener("level", (event) => {
    for (const meter of document.querySelectorAll("[data-level]")) meter.value = Number(event.data);
  });
  events.onopen = () => { lost.hidden = true; };
  events.onerror = () => { lost.hidden = false; };
};

// What was opened is loaded once.
const load = async (place) => {
  if (place.dataset.loaded) return;
  place.dataset.loaded = "1";
  const answer = await fetch(place.dataset.load);
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("prompt");
  if (!found) return;
  const whole = document.createElement("div");
  Object.assign(whole.dataset, place.dataset);
  whole.replaceChildren(...found.childNodes);
  place.replaceWith(whole);
};

// The form is sent, and only what the next page tells of it is taken over.
const send = async (form) => {
  const sent = new URLSearchParams(new FormData(form));
  form.reset();
  const answer = await fetch(form.action, { method: "POST", body: sent });
  const told = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("notice");
  if (told) byId("notice")?.replaceWith(told);
};

document.addEventListener("toggle", (event) => {
  if (!event.target.open) return;
  for (const place of event.target.querySelectorAll(":scope > .inside > [data-load]")) load(place);
}, true);

document.addEventListener("submit", (event) => {
  const sure = event.submitter?.dataset.sure;
  if (sure && !window.confirm(sure)) return event.preventDefault();
  if (event.target.matches("[data-quiet]")) {
    event.preventDefault();
    send(event.target);
  }
});

// A key leads to the search, unless it is typed into something.
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = ["search-again", "search-field"].map(byId).find((field) => field?.checkVisibility());
  if (!field) return location.assign("/search");
  event.preventDefault();
  field.focus();
  field.select();
});

// Timers count down by this machine's clock from what the device told last.
const told = new WeakMap();
const two = (number) => String(number).padStart(2, "0");
const countDown = () => {
  for (const place of document.querySelectorAll("[data-left]")) {
    if (!told.has(place)) told.set(place, Date.now() + Number(place.dataset.left) * 1000);
    const left = Math.max(0, Math.round((told.get(place) - Date.now()) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    place.textContent = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  }
};
if (document.querySelector("#alerts")) setInterval(countDown, 1000);

for (const box of document.querySelectorAll(".lines, .log")) if (!box.querySelector(":target")) toEnd(box);
const live = byId("main")?.dataset.live;
if (live) watch(live);
