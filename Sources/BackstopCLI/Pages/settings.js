// The settings of the playground: what the controls say, what the address says, and the chain.
import { element, getJSON } from "./events.js";

const texts = {
  target: "/flaky/503?times=2", method: "GET", content: "anything", errors: "problem", operation: "", by: "multipart", language: "en",
  attempts: "3", delay: "0.5", timeout: "3", deadline: "",
};
/** Operations whose results arrive one after the other. */
const live = ["counter", "deferred"];
const flags = ["key", "interceptors"];

export class Settings {
  /** `onChange` is called after each change of a control. */
  constructor({ roles, carriers }, onChange) {
    this.roles = roles;
    document.getElementById("by").append(...carriers.map((name) => element("option", { value: name }, name)));
    this.onChange = onChange;
    this.list = document.getElementById("chain");
    const changed = () => {
      this.suitOperation();
      this.changed();
    };
    for (const name of [...Object.keys(texts), ...flags, "handle"]) {
      document.getElementById(name).addEventListener("input", changed);
    }
    const deadline = document.getElementById("deadline");
    deadline.addEventListener("input", () => { this.deadline = deadline.value; });
    document.getElementById("reset").addEventListener("click", () => {
      this.chain = this.standard();
      this.misspelt = [];
      this.drawChain();
      changed();
    });
    this.read(new URLSearchParams(location.search));
    addEventListener("popstate", () => this.read(new URLSearchParams(location.search)));
  }

  changed() {
    const query = this.parameters().toString();
    history.replaceState(null, "", query ? `/?${query}` : "/");
    this.onChange();
  }

  /** What the controls say, without what is the default. */
  parameters({ isWhole = false } = {}) {
    const query = new URLSearchParams();
    const isOperation = document.getElementById("operation").value !== "";
    for (const [name, standard] of Object.entries(texts)) {
      if (isOperation && ["method", "content"].includes(name) || name === "by" && !this.isLive()) continue;
      const value = document.getElementById(name).value.trim();
      if (value !== standard || isWhole && name === "target") query.set(name, value);
    }
    if (!query.get("deadline")) query.delete("deadline");
    for (const name of flags) if (document.getElementById(name).checked && !(isOperation && name === "key")) query.set(name, "1");
    for (const code of this.codes()) query.append("handle", code);
    if (!this.isStandard()) query.set("chain", this.chainText(this.chain));
    return query;
  }

  /** Whether the chain is the standard one. */
  isStandard() {
    return this.chainText(this.chain) === this.chainText(this.standard());
  }

  isLive() {
    return live.includes(document.getElementById("operation").value);
  }

  /** A GraphQL operation is sent with POST, and read as one: what else could be set is neither sent nor shown. */
  suitOperation() {
    const method = document.getElementById("method");
    const isOperation = document.getElementById("operation").value !== "";
    if (isOperation && !method.disabled) this.method = method.value;
    if (isOperation) method.value = "POST";
    else if (method.disabled) method.value = this.method;
    for (const name of ["method", "content", "key"]) document.getElementById(name).disabled = isOperation;
    document.getElementById("by").disabled = !this.isLive();
  }

  codes() {
    return document.getElementById("handle").value.split(/[\s,]+/).filter(Boolean);
  }

  /** Puts what an address says into the controls. */
  read(query) {
    for (const [name, standard] of Object.entries(texts)) document.getElementById(name).value = query.get(name) ?? standard;
    for (const name of flags) document.getElementById(name).checked = query.get(name) === "1";
    document.getElementById("handle").value = query.getAll("handle").join(", ");
    this.deadline = document.getElementById("deadline").value;
    if (["content", "errors", "operation", "by", "key"].some((name) => query.has(name))) document.querySelector(".more").open = true;
    const names = (query.get("chain") ?? "").split(",").filter(Boolean);
    this.misspelt = names.filter((name) => !this.roles.some((role) => role.name === name));
    this.chain = query.has("chain") && !this.misspelt.length ? this.chainOf(names) : this.standard();
    document.getElementById("method").disabled = false;
    this.suitOperation();
    this.drawChain();
  }

  /** Sets the controls for a fault: what belongs to the call is set anew, the limits stay. */
  choose(fault) {
    document.getElementById("method").disabled = false;
    for (const name of ["method", "content", "errors", "operation", "by"]) {
      document.getElementById(name).value = fault.settings[name] ?? texts[name];
    }
    document.getElementById("deadline").value = fault.settings.deadline ?? this.deadline;
    this.suitOperation();
    document.getElementById("key").checked = fault.settings.key === "1";
    document.getElementById("target").value = fault.target;
    for (const link of this.chain) if (fault.roles.includes(link.name)) link.isOn = true;
    this.drawChain();
    this.changed();
  }

  standard() {
    return this.roles.map((role) => ({ name: role.name, isOn: role.standard }));
  }

  /** The roles that are on, in their order, and the others where the standard order has them. */
  chainOf(names) {
    const known = new Set(this.roles.map((role) => role.name));
    const chain = [...new Set(names)].filter((name) => known.has(name)).map((name) => ({ name, isOn: true }));
    this.roles.forEach((role, index) => {
      if (chain.some((link) => link.name === role.name)) return;
      const before = this.roles.slice(0, index).map((other) => other.name);
      const place = chain.findLastIndex((link) => before.includes(link.name)) + 1;
      chain.splice(place, 0, { name: role.name, isOn: false });
    });
    return chain;
  }

  chainText(chain) {
    return chain.filter((link) => link.isOn).map((link) => link.name).join(",");
  }

  move(name, to) {
    const from = this.chain.findIndex((link) => link.name === name);
    if (to < 0 || to >= this.chain.length || from === to) return;
    this.chain.splice(to, 0, ...this.chain.splice(from, 1));
    this.misspelt = [];
    this.drawChain();
    this.changed();
  }

  drawChain() {
    const focused = document.activeElement?.dataset?.move;
    this.list.replaceChildren(...this.chain.map((link, index) => this.row(link, index)));
    if (focused) {
      const [name, way] = focused.split(" ");
      const pair = [...this.list.querySelectorAll("button")].filter((button) => button.dataset.move.startsWith(`${name} `));
      (pair.find((button) => button.dataset.move === `${name} ${way}` && !button.disabled) ?? pair.find((button) => !button.disabled))?.focus();
    }
    this.check();
  }

  row(link, index) {
    const role = this.roles.find((role) => role.name === link.name);
    const box = element("input", { type: "checkbox", id: `role-${link.name}`, onchange: () => {
      link.isOn = box.checked;
      this.misspelt = [];
      row.classList.toggle("off", !link.isOn);
      this.check();
      this.changed();
    } });
    box.checked = link.isOn;
    const button = (way, sign, to) => element("button", {
      type: "button", "data-move": `${link.name} ${way}`, "aria-label": `Move ${role.title} ${way}`,
      disabled: to < 0 || to >= this.chain.length, onclick: () => this.move(link.name, to),
    }, sign);
    const row = element("li", { class: link.isOn ? "" : "off", draggable: "true", "data-role": link.name },
      element("label", {}, box, element("span", {}, element("span", { class: "name" }, role.title), element("small", {}, role.summary))),
      element("span", { class: "moves" }, button("out", "↑", index - 1), button("in", "↓", index + 1)));
    row.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", link.name);
      event.dataTransfer.effectAllowed = "move";
      this.dragged = link.name;
      row.classList.add("dragged");
    });
    row.addEventListener("dragend", () => { this.dragged = null; row.classList.remove("dragged"); });
    row.addEventListener("dragover", (event) => { if (this.dragged) event.preventDefault(); });
    row.addEventListener("drop", (event) => {
      event.preventDefault();
      if (this.dragged) this.move(this.dragged, this.chain.findIndex((other) => other.name === link.name));
    });
    return row;
  }

  /** Asks what is wrong with the order, and shows it. */
  async check() {
    const asked = this.chainText(this.chain);
    this.asked = asked;
    const place = document.getElementById("issues");
    let issues;
    try {
      issues = (await getJSON(`/playground/order?${new URLSearchParams({ chain: asked })}`)).issues;
    } catch (error) {
      issues = [{ severity: "error", text: error.message, outer: "", inner: "" }];
    }
    if (this.asked !== asked) return;
    if (this.misspelt.length) {
      const names = this.misspelt.join(", ");
      issues = [{ severity: "error", text: `The link names what is no interceptor of this chain: ${names}. The standard chain is set.`, outer: "", inner: "" }, ...issues];
    }
    for (const row of this.list.children) {
      row.classList.remove("error", "warning");
      const own = issues.filter((issue) => [issue.outer, issue.inner].includes(row.dataset.role));
      if (own.length) row.classList.add(own.some((issue) => issue.severity === "error") ? "error" : "warning");
    }
    place.replaceChildren(...(issues.length
      ? issues.map((issue) => element("p", { class: issue.severity }, element("b", {}, issue.severity === "error" ? "Error" : "Warning"), issue.text))
      : [element("p", { class: "right" }, "The order is right.")]));
  }
}
