// Building the page from values. Text only ever goes in as text nodes, so nothing that a model or a person wrote can
// become markup.

const drawing = "http://www.w3.org/2000/svg";

export const byID = (id) => document.getElementById(id);

/** An element with properties and children; `class`, `data` and ARIA go as attributes. */
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key in node && key !== "class") node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** One of the page's icons. */
export function icon(name) {
  const picture = document.createElementNS(drawing, "svg");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(drawing, "use");
  use.setAttribute("href", `#icon-${name}`);
  picture.append(use);
  return picture;
}

/** Sets a text only where it differs, so that nothing is laid out again for nothing. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A quiet button with an icon and a label. */
export function button(picture, label, action) {
  return element("button", { class: "quiet", type: "button", onclick: action }, icon(picture), label);
}
