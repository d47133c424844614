// The kinds of block and the elements they are made of. A block can be brought to another content, takes blocks that
// stand inside it, and keeps lines where it is code.

import { copyButton } from "/copying.js";
import { element } from "/dom.js";
import { words } from "/language.js";

const alerts = ["note", "tip", "important", "warning", "caution"];

/** A block of a kind: `{ node, append(block), update(marks, content), setLines(kept, lines), lean?(way) }`. */
export function makeBlock(kind, marks) {
  switch (kind) {
    case "quote": return container(element("blockquote"));
    case "alert": return makeAlert(alerts[marks.detail] ?? "note");
    case "list": return makeList(marks.detail);
    case "item": return makeItem();
    case "footnote": return makeFootnote(marks.anchor);
    case "heading": return makeHeading(marks.detail);
    case "rule": return leaf(element("hr"));
    case "code": return makeCode();
    case "html":
    case "math": return makeLines(kind);
    case "table": return makeTable();
    case "row": return makeRow();
    default: return leaf(element("p", { dir: "auto" }));
  }
}

const leaf = (node) => ({ node, append: () => {}, setLines: () => {}, update: (_, { nodes }) => bring(node, nodes) });

/** What other blocks stand in. Its own direction is that of the first text in it: `lean` is told, and forgets the rest. */
const container = (node) => ({
  node, append: (block) => node.append(block.node), update: () => {}, setLines: () => {}, lean: (way) => { node.dir ||= way; },
});

function makeAlert(kind) {
  const node = element(
    "div", { class: `alert ${kind}`, role: "note" }, element("p", { class: "alert-title" }, words().alerts[kind]));
  return container(node);
}

function makeList(detail) {
  const node = detail > 0 ? element("ol", { start: detail - 1 }) : element("ul");
  return { ...container(node), update: ({ isLoose }) => node.classList.toggle("tight", !isLoose) };
}

function makeItem() {
  const node = element("li");
  let box;
  function update({ task }) {
    node.classList.toggle("task", task !== 0);
    if (task === 0) return box?.remove();
    if (!box?.isConnected) {
      box = element("input", { type: "checkbox", disabled: true });
      node.prepend(box);
    }
    box.checked = task === 2;
    box.setAttribute("aria-label", task === 2 ? words().taskDone : words().taskOpen);
  }
  return { ...container(node), update };
}

function makeFootnote(anchor) {
  const label = element("span", { class: "footnote-label" });
  const node = element("div", { class: "footnote", id: anchor, role: "doc-footnote" }, label);
  return { ...container(node), update: (_, { info }) => { label.textContent = info; } };
}

// The answer itself stands under the page's headings: its own begin below them.
function makeHeading(level) {
  return leaf(element(`h${Math.min(6, level + 1)}`, { dir: "auto", class: `level-${level}` }));
}

function makeCode() {
  const code = element("code");
  const language = element("span", { class: "code-language" });
  const head = element("div", { class: "code-head" }, language, copyButton(() => code.textContent));
  const pre = element("pre", { dir: "ltr", tabIndex: 0 }, code);
  const node = element("figure", { class: "code" }, head, pre);
  const setLines = (kept, lines) => {
    while (code.childNodes.length > kept) code.lastChild.remove();
    code.append(...lines);
  };
  function update(_, { info, lines }) {
    language.textContent = /^\S*/.exec(info)[0].slice(0, 40);
    pre.setAttribute("aria-label", words().codeIn(language.textContent));
    setLines(0, lines);
  }
  return { node, append: () => {}, update, setLines };
}

/** What is shown as it was written: HTML, which is never anything but text here, and formulas. */
function makeLines(kind) {
  const node = element("pre", { class: kind, dir: "ltr" });
  const setLines = (kept, lines) => {
    while (node.childNodes.length > kept) node.lastChild.remove();
    node.append(...lines);
  };
  return { node, append: () => {}, setLines, update: (_, { lines }) => setLines(0, lines) };
}

function makeTable() {
  const head = element("thead");
  const body = element("tbody");
  const table = element("table", {}, head, body);
  const node = element("div", { class: "table", tabIndex: 0, role: "region", "aria-label": words().table }, table);
  function append(block) {
    if (head.hasChildNodes()) return body.append(block.node);
    block.isHead();
    head.append(block.node);
  }
  return { ...container(node), append };
}

function makeRow() {
  const node = element("tr");
  let isHead = false;
  const draw = (cells) => node.replaceChildren(...cells.map((cell) => isHead ? headCell(cell) : cell));
  return {
    node, append: () => {}, setLines: () => {},
    isHead() {
      isHead = true;
      draw([...node.children]);
    },
    update: (_, { nodes }) => draw(nodes),
  };
}

function headCell(cell) {
  const head = element("th", { dir: "auto", class: cell.className || undefined, scope: "col" });
  head.append(...cell.childNodes);
  return head;
}

/** Makes `nodes` the content, keeping what is the same: a selection in growing text then stays where it is. */
function bring(node, nodes) {
  nodes.forEach((wanted, index) => {
    const fresh = typeof wanted === "string" ? document.createTextNode(wanted) : wanted;
    const held = node.childNodes[index];
    if (!held) return node.append(fresh);
    if (held.nodeType === Node.TEXT_NODE && fresh.nodeType === Node.TEXT_NODE) {
      if (fresh.data.startsWith(held.data)) held.appendData(fresh.data.slice(held.data.length));
      else held.data = fresh.data;
    } else if (!held.isEqualNode(fresh)) {
      held.replaceWith(fresh);
    }
  });
  while (node.childNodes.length > nodes.length) node.lastChild.remove();
}
