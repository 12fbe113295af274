import { element, follow, fullStop, getJSON, Refusal, time } from "./events.js";
import { Waterfall } from "./waterfall.js";
import { drawPreview } from "./presentation.js";
import { Settings } from "./settings.js";

const part = (id) => document.getElementById(id);
const catalogue = await getJSON("/playground/faults");
const settings = new Settings(catalogue, mark);
const waterfall = new Waterfall(part("waterfall"), "Each attempt and each wait is drawn here, as it happens.");
let running = null;
/** What this page calls itself, so that each of its calls ends the one before on the server too. */
const pageID = crypto.randomUUID();

// MARK: Faults

const isNarrow = matchMedia("(max-width: 820px)");
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const faults = part("faults");
const buttons = [];
faults.append(...catalogue.groups.map((group, index) => element("details", { open: !isNarrow.matches || index === 0 },
  element("summary", {}, group.title, element("span", { class: "count" }, `${group.faults.length}`)),
  ...group.faults.map((fault) => {
    const method = fault.settings.method ? `${fault.settings.method} ` : "";
    const button = element("button", {
      type: "button", class: "fault", title: fault.detail,
      onclick: () => {
        settings.choose(fault);
        send();
        if (isNarrow.matches) part("result").scrollIntoView({ behavior: isCalm.matches ? "auto" : "smooth" });
      },
    }, fault.title, element("code", {}, method + fault.target));
    buttons.push({ button, fault });
    return button;
  }))));

/** Marks the fault that the settings are for. */
function mark() {
  const chosen = buttons.find(({ fault }) => part("target").value === fault.target
    && part("operation").value === (fault.settings.operation ?? "")
    && (!settings.isLive() || part("by").value === (fault.settings.by ?? "multipart"))
    && (fault.settings.operation || part("method").value === (fault.settings.method ?? "GET"))
    && part("deadline").value === (fault.settings.deadline ?? part("deadline").value));
  for (const { button } of buttons) button.removeAttribute("aria-current");
  chosen?.button.setAttribute("aria-current", "true");
  part("detail").textContent = chosen?.fault.detail ?? "";
  part("copy-command").hidden = !canBeCommand();
}

// MARK: Calls

part("call").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!running) send();
});
part("stop").addEventListener("click", () => running?.abort());

/** Whether the limits are numbers that there are; the first that is none says so. */
function areLimitsValid() {
  return ["attempts", "delay", "timeout", "deadline"].every((id) => part(id).reportValidity());
}

async function send() {
  if (!areLimitsValid()) return;
  running?.abort();
  const own = running = new AbortController();
  let hasBegun = false;
  let hasEnded = false;
  // It keeps the focus, as nothing else is there for it.
  part("send").setAttribute("aria-disabled", "true");
  part("stop").hidden = false;
  part("handle-it").hidden = true;
  headline("busy", "Running", "Attempt 1", "");
  waterfall.start();
  for (const id of ["text-report", "text-log", "text-body", "text-json"]) part(id).textContent = "";
  part("presentation").replaceChildren();
  try {
    await follow(`/playground/run?${settings.parameters({ isWhole: true })}&page=${pageID}`, {
      signal: own.signal,
      onEvent: (name, data) => {
        if (own !== running) return;
        if (name === "trace") {
          hasBegun = true;
          waterfall.update(data);
          const last = data.attempts.at(-1);
          const text = last.result === "running" ? `Attempt ${last.number}` : `${last.result}, waiting`;
          if (!part("text-body").textContent && part("outcome").textContent !== text) headline("busy", "Running", text, "");
        } else if (name === "part") {
          if (!part("text-body").textContent) select(part("tab-body"));
          part("text-body").textContent += data.text;
          part("text-body").scrollTop = part("text-body").scrollHeight;
          if (part("outcome").textContent !== "The response arrives") headline("busy", "Running", "The response arrives", "");
        } else if (name === "result") {
          hasEnded = true;
          show(data);
        }
      },
    });
    if (own === running && !hasEnded) leave(hasBegun);
  } catch (error) {
    if (own !== running) return;
    if (error.name === "AbortError") {
      waterfall.end("stopped");
      headline("", "Stopped", "You stopped the call", "Its task was cancelled on the server.");
    } else if (error instanceof Refusal) {
      waterfall.clear();
      headline("bad", "Not sent", "The call was not made", fullStop(error.message));
    } else {
      leave(hasBegun);
    }
  }
  if (own !== running) return;
  running = null;
  if (document.activeElement === part("stop")) part("send").focus();
  part("send").removeAttribute("aria-disabled");
  part("stop").hidden = true;
}

/** The server of this page has gone. */
function leave(hasBegun) {
  if (hasBegun) waterfall.end("lost");
  else waterfall.clear();
  headline("bad", "Lost", "The server of this page has gone",
    hasBegun ? "The call ended with it." : "Whether the call was made is not known.");
}

function show(result) {
  if (result.error) {
    waterfall.clear();
    headline("bad", "Not sent", "The call was not made", fullStop(result.reason));
    return;
  }
  if (result.trace) waterfall.update(result.trace);
  else waterfall.clear();
  const count = result.attempts.length;
  const effort = `${count === 1 ? "1 attempt" : `${count} attempts`} in ${time(result.trace?.durationMs ?? 0)}`;
  if (result.failure) {
    const who = result.outcome === "handled"
      ? (result.handledBy === "default" ? "Handled by the default handler" : `Handled by the call’s own handler for ${result.handledBy}`)
      : result.outcome === "cancelled" ? "Cancelled" : "Nobody handled it";
    const isCancelled = result.outcome === "cancelled";
    headline(isCancelled ? "" : "bad", isCancelled ? "Cancelled" : "Failure", result.failure.code,
      `${who}, after ${effort}. Stopped because ${lowercased(result.failure.stopped)}.`);
    part("handle-it").hidden = isCancelled || settings.codes().includes(result.failure.code);
    part("handle-it").textContent = `Handle ${result.failure.code}`;
    part("handle-it").dataset.code = result.failure.code;
  } else {
    headline("good", "Value", result.response ?? "A value", `${effort}. No handler was asked.`);
  }
  const presentation = result.presentation && { ...result.presentation, countdownText: result.countdownText };
  part("presentation").replaceChildren(drawPreview(presentation, result.failure ? "Nothing: the call’s own handler took it." : "No failure: the app goes on.", (name) => {
    if (name === "retry") return send();
    part("presentation").replaceChildren(drawPreview(null, "The person has closed it: the app goes on."));
    part("send").focus();
  }));
  part("text-report").textContent = result.report ?? "There was no failure, so there is no report.";
  part("text-log").textContent = result.log.map((line) => `${line.level}: ${line.text}`).join("\n") || "Nothing was logged.";
  part("text-body").textContent = [result.request, result.response, "", result.body || "(no body)"].filter((line) => line != null).join("\n");
  part("text-json").textContent = JSON.stringify(result, null, 2);
}

function lowercased(text) {
  return text.replace(/\.$/, "");
}

function headline(state, chip, title, sub) {
  part("chip").className = `chip ${state}`;
  part("chip").textContent = chip;
  part("outcome").textContent = title;
  part("sub").textContent = sub;
}

// MARK: Tools

part("handle-it").addEventListener("click", () => {
  part("handle").value = [...settings.codes(), part("handle-it").dataset.code].join(", ");
  settings.changed();
  send();
});
part("copy-link").addEventListener("click", () => copy(part("copy-link"), location.href));

/** Whether `backstop get` can make the same call: a request to this server, through the standard chain. */
function canBeCommand() {
  const isPlain = ["anything", "stream"].includes(part("content").value) && part("errors").value === "problem" && part("operation").value === "";
  return isPlain && settings.isStandard() && /^\/(?!\/)[!-~]*$/.test(part("target").value.trim());
}

part("copy-command").addEventListener("click", () => {
  if (!areLimitsValid()) return;
  const word = (text) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const value = (id) => part(id).value.trim();
  const words = ["backstop", "get", word(location.origin + value("target"))];
  if (value("content") === "stream") words.push("--stream");
  if (value("method") !== "GET") words.push("-X", value("method"));
  if (part("key").checked) words.push("-H", word(`Idempotency-Key: ${crypto.randomUUID()}`));
  words.push("--attempts", value("attempts"), "--base-delay", value("delay"), "--timeout", value("timeout"));
  if (value("deadline")) words.push("--deadline", value("deadline"));
  for (const code of settings.codes()) words.push("--handle", word(code));
  copy(part("copy-command"), [...words, "--trace"].join(" "));
});

async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

const tabs = [...part("tabs").children];
function select(tab) {
  for (const other of tabs) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", isChosen);
    other.tabIndex = isChosen ? 0 : -1;
    part(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
}
for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
}

mark();
part("presentation").replaceChildren(drawPreview(null, "No failure: the app goes on."));
