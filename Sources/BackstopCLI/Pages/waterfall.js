// Draws a trace: a row for each attempt, wait, note and interceptor, with a bar that shows when. While the call runs, the
// bars grow between two events.
import { element, time } from "./events.js";

export class Waterfall {
  constructor(place, nothing) {
    this.place = place;
    this.nothing = nothing;
    this.clear();
  }

  clear() {
    cancelAnimationFrame(this.frame);
    this.trace = null;
    this.place.replaceChildren(element("p", { class: "nothing" }, this.nothing));
  }

  /** A call has begun, and nothing is known of it yet. */
  start() {
    this.update({ durationMs: 0, outcome: null, attempts: [{ number: 1, startMs: 0, waitMs: 0, durationMs: 0, result: "running" }], events: [] });
  }

  /** Shows a trace; one without an outcome goes on growing. */
  update(trace) {
    cancelAnimationFrame(this.frame);
    this.trace = trace;
    this.received = performance.now();
    this.build();
    this.draw();
  }

  /** The call runs no longer, and nobody will hear what became of it: `word` says why. */
  end(word) {
    const elapsed = this.trace.durationMs + performance.now() - this.received;
    const attempts = this.trace.attempts.map((attempt) => (attempt.result === "running"
      ? { ...attempt, result: word, durationMs: Math.max(elapsed - attempt.startMs, 0) } : attempt));
    this.update({ ...this.trace, durationMs: elapsed, outcome: word, attempts, ended: word });
  }

  build() {
    this.rows = rows(this.trace);
    this.place.classList.toggle("inner", this.rows.some((row) => row.kind === "interceptor"));
    this.ticks = [element("span"), element("span"), element("span")];
    const body = element("tbody");
    for (const row of this.rows) {
      row.bar = element("div", { class: "bar" });
      row.cell = element("td", { class: "took" });
      row.step = element("td", { class: "step" }, row.label);
      row.step.style.setProperty("--depth", row.depth);
      body.append(element("tr", { class: `${row.kind} ${row.state ?? ""}` }, row.step,
        element("td", { class: "line" }, element("div", { class: "track" }, row.bar)), row.cell,
        element("td", { class: "came" }, ...breakable(row.text))));
    }
    const column = (name) => element("col", { class: name });
    this.place.replaceChildren(element("table", {},
      element("colgroup", {}, column("step"), column("line"), column("took"), column("came")),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Step"),
        element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, "When"), element("div", { class: "ticks", "aria-hidden": "true" }, ...this.ticks)),
        element("th", { scope: "col", class: "took" }, "Took"), element("th", { scope: "col" }, "What came of it"))),
      body));
  }

  draw() {
    const isRunning = this.trace.outcome == null;
    const now = this.trace.durationMs + (isRunning ? performance.now() - this.received : 0);
    const total = Math.max(now, 1);
    [0, total / 2, total].forEach((value, index) => { this.ticks[index].textContent = index ? time(value) : "0"; });
    for (const row of this.rows) {
      const took = row.grows ? Math.max(now - row.start, 0) : row.duration;
      // What begins at the end is still to be seen.
      row.bar.style.left = `min(${(100 * row.start) / total}%, 100% - 3px)`;
      if (row.kind !== "note") row.bar.style.width = `${(100 * took) / total}%`;
      row.cell.textContent = time(row.kind === "note" ? row.start : took);
    }
    if (isRunning) this.frame = requestAnimationFrame(() => this.draw());
  }
}

/** A text that may be broken behind each dot: `service.userNameTaken`. */
function breakable(text) {
  return (text ?? "").split(/(?<=[a-z]\.)(?=[a-zA-Z])/).flatMap((piece, index) => (index ? [document.createElement("wbr"), piece] : [piece]));
}

function rows(trace) {
  const found = [];
  for (const attempt of trace.attempts) {
    if (attempt.waitMs > 0) {
      found.push({ label: "wait", kind: "wait", start: attempt.startMs - attempt.waitMs, duration: attempt.waitMs, text: attempt.waitReason ?? "", depth: 0 });
    }
    const state = attempt.result === "ok" ? "good" : attempt.result === "running" ? "running" : "bad";
    found.push({
      label: `attempt ${attempt.number}`, kind: "attempt", state, start: attempt.startMs, duration: attempt.durationMs,
      text: attempt.result, depth: 0, grows: state === "running" && trace.outcome == null,
    });
    const inside = trace.events.filter((event) => event.attempt === attempt.number);
    const links = inside.filter((event) => event.kind === "interceptor").sort((left, right) => left.depth - right.depth);
    for (const event of links) {
      found.push({ label: event.name, kind: "interceptor", start: event.timeMs, duration: event.durationMs, text: event.text, depth: event.depth + 1 });
    }
    for (const event of inside.filter((event) => event.kind === "note")) {
      found.push({ label: event.name, kind: "note", start: event.timeMs, duration: 0, text: event.text, depth: 1 });
    }
  }
  const last = trace.attempts.at(-1);
  if ((trace.outcome == null || trace.ended) && last && !["running", trace.ended].includes(last.result)) {
    const start = last.startMs + last.durationMs;
    found.push({
      label: "wait", kind: "wait", start, duration: Math.max(trace.durationMs - start, 0), depth: 0, grows: !trace.ended,
      text: trace.ended ?? "before the next attempt",
    });
  }
  return found;
}
