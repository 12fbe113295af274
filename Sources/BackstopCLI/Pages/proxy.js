import { element, fullStop, getJSON, time } from "./events.js";

const part = (id) => document.getElementById(id);
let faults = [];
let shown = "";

/** Does something to the faults, and says what came of it. */
async function change(method, path, lines, said) {
  try {
    draw(await getJSON(`/__backstop/${path}`, { method, body: lines?.join("\n") }));
    part("said").textContent = said;
  } catch (error) {
    part("said").textContent = fullStop(error.message);
  }
}

part("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const which = part("which").value;
  const number = part("number").value;
  const line = [part("method").value, part("path").value, part("fault").value].filter(Boolean).join(" ");
  if (which === "next") {
    await change("PUT", "faults/next", [`${line} times=${number}`], `The next ${number > 1 ? `${number} calls are` : "call is"} broken.`);
    return;
  }
  const added = which === "share" ? `${line} share=${number / 100}` : line;
  await refresh();
  await change("PUT", "faults", [...faults, added], "Calls are broken until you remove this.");
});

part("which").addEventListener("change", () => {
  const which = part("which").value;
  part("number").closest("label").hidden = which === "all";
  part("number-title").textContent = which === "share" ? "Percent" : "How many";
  part("number").max = which === "share" ? 100 : 1000000;
  part("number").value = which === "share" ? 20 : 1;
});

part("clear").addEventListener("click", () => change("DELETE", "faults", undefined, "Nothing is broken."));

async function remove(index) {
  await change("PUT", "faults", faults.filter((_, other) => other !== index), "Removed.");
  // The button is gone.
  part("faults-title").focus();
}

function draw(state) {
  // What is the same stays, and with it the focus.
  if (JSON.stringify(state) === shown) return;
  shown = JSON.stringify(state);
  part("upstream").textContent = state.upstream;
  if (JSON.stringify(faults) !== JSON.stringify(state.faults) || !part("faults").children.length) {
    faults = state.faults;
    part("faults").replaceChildren(...faults.map((line, index) => element("li", {}, element("code", {}, line),
      element("button", { type: "button", class: "quiet", "aria-label": `Remove ${line}`, onclick: () => remove(index) }, "Remove"))));
    if (!faults.length) part("faults").append(element("li", { class: "hint" }, "Nothing"));
  }
  part("clear").disabled = !faults.length;
  part("log").replaceChildren(...state.exchanges.map((exchange) => element("tr", {},
    element("td", {}, exchange.method), element("td", {}, exchange.target), element("td", {}, `${exchange.status ?? "–"}`),
    element("td", {}, time(exchange.milliseconds)),
    element("td", {}, element("span", { class: `chip ${kind(exchange.result)}` }, exchange.result)))));
}

function kind(result) {
  return result === "passed" ? "good" : result.startsWith("injected") ? "busy" : "bad";
}

async function refresh() {
  try {
    draw(await getJSON("/__backstop/log"));
  } catch {
    part("upstream").textContent = "a proxy that is not running";
    shown = "";
  }
}

await refresh();
document.body.dataset.ready = "";
setInterval(() => document.hidden || refresh(), 1000);
