// The page only sends key strokes, and shows the state of a model that is written in Swift and runs on the server.
import { element, follow, fullStop, getJSON, Refusal } from "/playground/events.js";
import { Waterfall } from "/playground/waterfall.js";
import { countdown, drawPresentation, sentence } from "/playground/presentation.js";

const part = (id) => document.getElementById(id);
const input = part("name");
const waterfall = new Waterfall(part("waterfall"), "The waterfall of the last call is drawn here, as it happens.");
/** The stream of events that is read, and the session that it is of; without one nothing can be said. */
let stream = null;
let session = null;
/** How many acts there were, and which was the latest that was about the name. */
let number = 0;
let latest = 0;
/** Whether what the field shows is the answer for the name in it. */
let isAnswered = true;
let isSubmitting = false;
/** Whether the name in the field was refused, so that signing up with it cannot help. */
let isRefused = false;
let shown = { banners: "", modal: null };

const names = [
  ["ada.lovelace", "free"],
  ["johndoe", "taken"],
  ["abc", "too short"],
  ["admin", "not allowed"],
  ["illegalresponse", "a response that this app does not understand"],
  ["servererror", "the server fails"],
  ["maintenance", "the server is back soon"],
];
part("names").append(...names.map(([name, what]) => element("li", {}, element("button", {
  type: "button",
  onclick: () => {
    if (isSubmitting) return;
    input.value = name;
    typed();
    input.focus();
  },
}, element("code", {}, name), element("span", {}, what)))));

// MARK: What the page says

/** Says something to the server, and gives the number of it. */
function act(kind, more = {}) {
  number += 1;
  if (session) deliver({ session, kind, number, ...more });
  return number;
}

/** Sends an act, and sends it again when the connection fails: the server drops a number that it has seen. */
async function deliver(act) {
  for (let pause = 250; act.session === session; pause *= 2) {
    try {
      return await getJSON("/signup/act", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(act),
      });
    } catch (error) {
      const isLatest = act.number >= latest || act.kind === "server";
      if (error instanceof Refusal && error.status === 404) return rejoin();
      if (error instanceof Refusal || pause > 2000) {
        if (isLatest && act.session === session) {
          hold(false);
          complain(error instanceof Refusal ? fullStop(error.message) : "This did not reach the server. Please try again.");
        }
        return;
      }
      await new Promise((resume) => { setTimeout(resume, pause); });
      if (!isLatest) return;
    }
  }
}

/** What is in the field, as it can be sent: without half a character. */
function userName() {
  return input.value.toWellFormed?.() ?? input.value;
}

function typed() {
  isAnswered = false;
  refuse(false);
  mark("", "");
  latest = act("type", { userName: userName() });
}

function hold(isHeld) {
  isSubmitting = isHeld;
  input.readOnly = isHeld;
  showSubmit();
}

function refuse(isIt) {
  isRefused = isIt;
  showSubmit();
}

function showSubmit() {
  if (isSubmitting || isRefused) part("submit").setAttribute("aria-disabled", "true");
  else part("submit").removeAttribute("aria-disabled");
}

input.addEventListener("input", typed);
part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (isSubmitting || isRefused || !session) return;
  isAnswered = false;
  hold(true);
  mark("busy", "Signing up …");
  latest = act("submit", { userName: userName() });
});
part("again").addEventListener("click", () => {
  input.value = "";
  part("welcome").hidden = true;
  part("form").hidden = false;
  typed();
  input.focus();
});
part("stopped").addEventListener("change", () => act("server", { isStopped: part("stopped").checked }));
part("alert").addEventListener("cancel", (event) => {
  event.preventDefault();
  act("choose", { id: shown.modal.id, action: "dismiss" });
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shown.modal?.presentation.kind === "fullScreen") act("choose", { id: shown.modal.id, action: "dismiss" });
});

// MARK: What the page shows

function show(state) {
  drawBanners(state.banners);
  drawModal(state.modal);
  // What was typed or submitted since is on its way.
  if (state.number < latest) return;
  hold(state.status === "submitting");
  isAnswered = ["free", "signedUp"].includes(state.status) || state.inline != null;
  refuse(state.inline != null);
  if (state.status === "signedUp") {
    part("form").hidden = true;
    part("welcome").hidden = false;
    part("welcome-title").textContent = `Welcome, ${state.checkedName}`;
    part("welcome-title").focus();
  } else if (state.inline) {
    complain(sentence(state.inline.presentation));
  } else if (state.status === "free") {
    mark("good", element("p", { class: "free" }, `“${state.userName}” is free.`));
  } else if (["checking", "submitting"].includes(state.status) && !state.modal) {
    mark("busy", isSubmitting ? "Signing up …" : "Checking …");
  } else {
    mark("", "");
  }
}

function complain(text) {
  mark("bad", element("p", { class: "shown-inline" }, element("span", {}, text)));
}

function mark(kind, content) {
  input.parentElement.className = `box ${kind}`;
  input.setAttribute("aria-invalid", kind === "bad");
  part("message").replaceChildren(content);
}

function drawBanners(banners) {
  const key = JSON.stringify(banners.map(({ id, count }) => [id, count]));
  if (key === shown.banners) return;
  shown.banners = key;
  part("banners").replaceChildren(...banners.map((banner) => {
    const drawn = drawPresentation(banner.presentation, (action) => act("choose", { id: banner.id, action }));
    if (banner.count > 1) drawn.querySelector("strong").append(` (${banner.count})`);
    return drawn;
  }));
}

function drawModal(modal) {
  const counting = document.querySelector("#full .countdown");
  if (modal && shown.modal?.id === modal.id) {
    if (counting && modal.remaining != null) counting.textContent = countdown(modal.remaining);
    return;
  }
  const wasModal = shown.modal != null;
  shown.modal = modal;
  part("full").replaceChildren();
  part("alert").close();
  part("alert").replaceChildren();
  for (const id of ["form", "banners"]) part(id).inert = modal?.presentation.kind === "fullScreen";
  if (!modal) {
    if (wasModal && !part("form").hidden) input.focus();
    return;
  }
  const drawn = drawPresentation(modal.presentation, (action) => act("choose", { id: modal.id, action }));
  if (modal.presentation.kind === "alert") {
    part("alert").append(drawn.firstChild);
    part("alert").showModal();
    // Not a button, which the next key of somebody who types would press.
    part("alert-title").focus();
  } else {
    part("full").append(drawn);
    if (modal.remaining != null) drawn.querySelector(".countdown").textContent = countdown(modal.remaining);
    part("full-title").focus();
  }
}

function showTrace(trace) {
  waterfall.update(trace);
  const state = trace.outcome == null ? "busy" : trace.outcome === "ok" ? "good" : "bad";
  part("call-chip").className = `chip ${state}`;
  part("call-chip").textContent = trace.outcome ?? "Running";
  part("call-name").textContent = trace.name === "sign up" ? "Made when you signed up." : "Made while you typed.";
}

// MARK: The connection

/** Tells the other pages of this browser that one of them is used: only that one has a stream. */
const pages = new BroadcastChannel("backstop.signup");
pages.addEventListener("message", leave);

/** Reads the events of a session, and of another one when that has ended, as long as the page is used. */
async function join() {
  const own = new AbortController();
  stream = own;
  pages.postMessage("joined");
  for (let pause = 500; stream === own; pause = Math.min(2 * pause, 4000)) {
    let problem = "The server of this page has gone. The form goes on when it is back.";
    try {
      await follow("/signup/events", {
        signal: own.signal,
        onEvent: (name, data) => {
          pause = 250;
          if (name === "session") begin(data.id);
          else if (name === "state") show(data);
          else if (name === "trace") showTrace(data);
          if (document.hidden) leave();
        },
      });
    } catch (error) {
      if (error instanceof Refusal) problem = fullStop(error.message);
    }
    if (stream !== own) return;
    lose(problem);
    await new Promise((resume) => { setTimeout(resume, pause); });
  }
}

function begin(id) {
  const wasLost = part("submit").disabled;
  session = id;
  document.body.dataset.ready = "true";
  for (const button of document.querySelectorAll("#submit, #names button")) button.disabled = false;
  if (wasLost) mark("", "");
  if (part("stopped").checked) act("server", { isStopped: true });
  if (wasLost || !isAnswered) hold(false);
  if (!part("form").hidden && input.value && (wasLost || !isAnswered)) typed();
}

/**
 * Ends the session of a page that nobody uses, as browsers have six connections to a server and others need them. What
 * somebody waits for goes on.
 */
function leave() {
  if (isSubmitting || shown.modal) return;
  stream?.abort();
  stream = session = null;
}

/** The session has ended, on the server. */
function rejoin() {
  stream?.abort();
  stream = session = null;
  isAnswered = false;
  join();
}

function lose(problem) {
  session = null;
  drawBanners([]);
  drawModal(null);
  hold(false);
  input.readOnly = true;
  complain(problem);
  for (const button of document.querySelectorAll("#submit, #names button")) button.disabled = true;
}

function wake() {
  if (!stream && !document.hidden) join();
}

document.addEventListener("visibilitychange", () => (document.hidden ? leave() : wake()));
for (const use of ["focus", "pointerdown", "keydown", "input"]) addEventListener(use, wake, { capture: true });
addEventListener("pagehide", () => {
  stream?.abort();
  stream = session = null;
});
addEventListener("pageshow", wake);
if (input.value) isAnswered = false;
wake();
