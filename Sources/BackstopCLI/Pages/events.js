// Requests to the server that served this page. What it answers is used as text and never as markup.

/** The object that a service gives; throws a `Refusal` with the reason that it gives otherwise. */
export async function getJSON(url, options = {}) {
  const response = await fetch(url, options);
  if (!response.ok) throw await refusal(response);
  return response.json();
}

/** Calls `onEvent(name, object)` for each event of a stream of events, as it comes. Ends with the stream. */
export async function follow(url, { signal, onEvent, ...options } = {}) {
  const response = await fetch(url, { ...options, signal, headers: { ...options.headers, Accept: "text/event-stream" } });
  if (!response.ok) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
      }));
      if (fields.data) onEvent(fields.event, JSON.parse(fields.data));
    }
  }
}

/** What the server does not take, in its own words, with its status. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function refusal(response) {
  const { reason } = await response.json().catch(() => ({}));
  return new Refusal(response.status, reason ?? `The server answered ${response.status}`);
}

/** A text with a full stop, unless it ends a sentence by itself. */
export function fullStop(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Makes an element; strings among the children become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/** A time for people, as the command writes it: `950 ms`, `1.52 s`. */
export function time(milliseconds) {
  if (milliseconds < 10) return `${Number(milliseconds.toFixed(1))} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(seconds < 10 ? 2 : 1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
