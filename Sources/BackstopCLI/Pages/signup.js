// The page only sends key strokes, and shows the state of a model that is written in Swift and runs on the server.
import { element, follow, getJSON } from "/playground/events.js";
import { Waterfall } from "/playground/waterfall.js";
import { countdown, drawPresentation, sentence } from "/playground/presentation.js";

const part = (id) => document.getElementById(id);
const input = part("name");
const waterfall = new Waterfall(part("waterfall"), "The waterfall of the last call is drawn here, as it happens.");
let session = null;
let number = 0;
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
    input.value = name;
    typed();
    input.focus();
  },
}, element("code", {}, name), element("span", {}, what)))));

// MARK: What the page says

async function act(kind, more = {}) {
  if (!session) return;
  try {
    await getJSON("/signup/act", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ session, kind, ...more }),
    });
  } catch (error) {
    lost(error);
  }
}

function typed() {
  mark("", "");
  act("type", { userName: input.value, number: ++number });
}

input.addEventListener("input", typed);
part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  act("submit", { userName: input.value, number: ++number });
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

// MARK: What the page shows

function show(state) {
  drawBanners(state.banners);
  drawModal(state.modal);
  part("stopped").checked = state.isServerStopped;
  // What is about another name than the one in the field is on its way to be replaced.
  if (state.userName !== input.value) return;
  if (state.status === "signedUp") {
    part("form").hidden = true;
    part("welcome").hidden = false;
    part("welcome-title").textContent = `Welcome, ${state.userName}`;
    part("welcome-title").focus();
  } else if (state.inline) {
    mark("bad", element("p", { class: "shown-inline" }, element("span", {}, sentence(state.inline.presentation))));
  } else if (state.status === "free") {
    mark("good", element("p", { class: "free" }, `“${state.userName}” is free.`));
  } else if (state.status === "checking") {
    mark("busy", "Checking …");
  } else {
    mark("", "");
  }
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
    part("alert").setAttribute("aria-labelledby", "alert-title");
    part("alert").showModal();
  } else {
    part("full").append(drawn);
    if (modal.remaining != null) drawn.querySelector(".countdown").textContent = countdown(modal.remaining);
    drawn.querySelector("button")?.focus();
  }
}

function showTrace(trace) {
  waterfall.update(trace);
  const state = trace.outcome == null ? "busy" : trace.outcome === "ok" ? "good" : "bad";
  part("call-chip").className = `chip ${state}`;
  part("call-chip").textContent = trace.outcome ?? "Running";
  part("call-name").textContent = trace.name === "sign up" ? "Made when you signed up." : "Made while you typed.";
}

function lost(error) {
  session = null;
  mark("bad", element("p", { class: "shown-inline" }, element("span", {}, `The form has lost its session. ${error?.message ?? ""} Load the page again.`)));
  for (const id of ["name", "submit"]) part(id).disabled = true;
}

try {
  await follow("/signup/events", {
    onEvent: (name, data) => {
      if (name === "session") {
        session = data.id;
        document.body.dataset.ready = "true";
        if (input.value) typed();
      } else if (name === "state") {
        show(data);
      } else if (name === "trace") {
        showTrace(data);
      }
    },
  });
  lost();
} catch (error) {
  lost(error);
}
