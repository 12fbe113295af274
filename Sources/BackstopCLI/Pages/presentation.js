// Draws a presentation as a policy of BackstopPresentation has chosen it: ignore, inline, banner, alert or full screen.
import { element, fullStop } from "./events.js";

const names = {
  ignore: "Nothing", inline: "Inline", banner: "Banner", alert: "Alert", fullScreen: "Full screen",
};

/**
 * The presentation as an element, or null where nothing is shown.
 * `act(name)` is called for an action; without it the actions are only drawn.
 */
export function drawPresentation(presentation, act) {
  switch (presentation.kind) {
    case "inline":
      return element("p", { class: "shown-inline" }, element("span", {}, sentence(presentation)));
    case "banner":
      return element("div", { class: "shown-banner", role: act && "status" },
        element("div", { class: "words" }, ...words(presentation)), actions(presentation, act));
    case "alert":
      return element("div", { class: "veil" },
        element("div", { class: "shown-alert" }, ...words(presentation, act && "alert"), actions(presentation, act)));
    case "fullScreen":
      // The countdown stands outside of what is announced, or each second would be.
      return element("div", { class: "shown-full", role: act && "group", "aria-labelledby": act && "full-title", "aria-describedby": act && "full-text" },
        element("span", { class: "icon", "aria-hidden": "true" }, "!"), ...words(presentation, act && "full"),
        presentation.countdown == null ? null : element("p", { class: "countdown", "aria-live": "off" }, presentation.countdownText ?? countdown(presentation.countdown)),
        actions(presentation, act));
    default:
      return null;
  }
}

/**
 * A small device with the presentation in it, and a caption that says it in words: `nothing` where there is none.
 * `act(name)` is called for an action.
 */
export function drawPreview(presentation, nothing, act) {
  const app = element("div", { class: "app" }, element("i", { class: "head" }), element("i"), element("i", { class: "short" }));
  const stage = element("div", { class: "stage", inert: !act }, app);
  const shown = presentation && drawPresentation(presentation, act);
  if (presentation?.kind === "inline") {
    app.append(element("div", { class: "input wrong" }), shown);
  } else if (shown) {
    stage.append(shown);
  } else {
    app.append(element("i"), element("i", { class: "short" }));
  }
  return element("figure", {}, stage, element("figcaption", { class: "stage-caption" }, ...caption(presentation, nothing)));
}

function caption(presentation, nothing) {
  if (!presentation) return [nothing];
  if (presentation.kind === "ignore") return [element("b", {}, names.ignore), " is shown."];
  const parts = [element("b", {}, names[presentation.kind]), `: ${fullStop(presentation.title)} ${sentence(presentation)}`];
  if (presentation.field) parts.push(` At the field ${presentation.field}.`);
  if (presentation.countdown != null) parts.push(` It is sent again by itself after ${seconds(presentation.countdown)}.`);
  if (presentation.actions.length) parts.push(` To choose: ${presentation.actions.map((action) => action.title).join(", ")}.`);
  if (presentation.lifetime === "untilSuccess" && presentation.kind === "banner") parts.push(" It goes when a server answers.");
  if (typeof presentation.lifetime === "number") parts.push(` It goes after ${seconds(presentation.lifetime)}.`);
  return parts;
}

/** Title and text. With a name they can be pointed at, and the title can have the focus, where no key presses anything. */
function words(presentation, name) {
  return [
    element("strong", { id: name && `${name}-title`, tabindex: name && "-1" }, presentation.title),
    element("p", { id: name && `${name}-text` }, sentence(presentation)),
  ];
}

export function sentence(presentation) {
  return [presentation.text, presentation.suggestion].filter(Boolean).map(fullStop).join(" ");
}

export function countdown(left) {
  return `Trying again in ${seconds(Math.ceil(left))}`;
}

function seconds(number) {
  return number === 1 ? "1 second" : `${number} seconds`;
}

function actions(presentation, act) {
  if (!presentation.actions.length) return null;
  return element("div", { class: "actions" }, ...presentation.actions.map((action, index) => {
    const isMain = index === 0 && presentation.kind !== "banner";
    return act
      ? element("button", { type: "button", class: isMain ? "main" : "", "data-action": action.name, onclick: () => act(action.name) }, action.title)
      : element("span", { class: isMain ? "main" : "" }, action.title);
  }));
}
