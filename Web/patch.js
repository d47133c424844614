// Turns the core's patches into nodes. A patch names kinds and gives text; which elements and attributes there are is
// decided here, from closed lists. Nothing is ever parsed as HTML.

import { makeBlock } from "/blocks.js";
import { element } from "/dom.js";
import { cellElement, directionOf, imagePlaceholder, linkElement, textNodes } from "/inlines.js";

const operation = { endBlock: 0, add: 1, replace: 2, change: 3, extend: 4, remove: 5, reset: 6 };
const inline = {
  text: 16, emphasis: 17, strong: 18, strikethrough: 19, link: 20, image: 21, plain: 22, close: 23, lineBreak: 24,
  code: 25, math: 26, displayMath: 27, footnote: 28, cell: 29, line: 30, info: 31, span: 32,
};
const kinds = [
  "document", "quote", "alert", "list", "item", "footnote", "paragraph", "heading", "rule", "code", "html", "math",
  "table", "row",
];
const alignments = ["", "left", "center", "right"];
const roles = [
  "", "keyword", "type", "literal", "string", "number", "comment", "attribute", "tag", "key", "variable", "inserted",
  "deleted", "heading",
];
const decoder = new TextDecoder();
let pictures = 0;

/** The blocks of one answer on the page. */
export class Picture {
  #root;
  #blocks = new Map();
  #number = (pictures += 1);

  constructor(root) {
    this.#root = root;
  }

  /** Applies a patch. */
  apply(bytes) {
    const reader = new Reader(bytes);
    while (!reader.isAtEnd) this.#step(reader);
  }

  #step(reader) {
    const code = reader.byte();
    switch (code) {
      case operation.reset:
        this.#root.replaceChildren();
        this.#blocks.clear();
        break;
      case operation.remove: {
        const id = reader.number();
        this.#blocks.get(id)?.node.remove();
        this.#blocks.delete(id);
        break;
      }
      case operation.extend: {
        const block = this.#blocks.get(reader.number());
        const kept = reader.number();
        block?.setLines(kept, this.#content(reader).lines);
        break;
      }
      case operation.add:
      case operation.replace:
      case operation.change: this.#block(code, reader); break;
      default: throw new Error(`patch: ${code}`);
    }
  }

  #block(code, reader) {
    const id = reader.number();
    const parent = reader.number();
    const kind = kinds[reader.byte()];
    const detail = reader.number();
    const flags = reader.byte();
    const marks = { detail, isLoose: (flags & 1) !== 0, task: flags >> 1, anchor: this.#anchor(id) };
    const content = this.#content(reader);
    const held = this.#blocks.get(id);
    if (code === operation.change && held) {
      held.update(marks, content);
      return this.#lean(held);
    }
    const block = makeBlock(kind, marks);
    block.parent = parent;
    block.update(marks, content);
    this.#lean(block);
    this.#blocks.set(id, block);
    if (code === operation.replace && held) held.node.replaceWith(block.node);
    else (this.#blocks.get(parent)?.append ?? ((one) => this.#root.append(one.node)))(block);
  }

  /** Lists, quotes and tables stand the way of their first text. */
  #lean(block) {
    if (block.lean) return;
    const way = directionOf(block.node.textContent);
    if (!way) return;
    for (let around = this.#blocks.get(block.parent); around; around = this.#blocks.get(around.parent)) around.lean?.(way);
  }

  #anchor(id) {
    return `note-${this.#number}-${id}`;
  }

  /** A line of code: its parts with their colours, and its end. */
  #line(reader) {
    const line = element("span");
    while (reader.byte() === inline.span) {
      const role = roles[reader.byte()];
      const nodes = textNodes(reader.text(), true);
      line.append(...role ? [element("span", { class: role }, ...nodes)] : nodes);
    }
    line.append("\n");
    return line;
  }

  /** The content up to the end of the block: nodes, lines of code and the info text. */
  #content(reader) {
    const content = { nodes: [], lines: [], info: "" };
    const open = [];
    const put = (...nodes) => open.length > 0 ? open.at(-1).append(...nodes) : content.nodes.push(...nodes);
    for (;;) {
      const code = reader.byte();
      switch (code) {
        case operation.endBlock: return content;
        case inline.text: put(...textNodes(reader.text())); break;
        case inline.emphasis: open.push(element("em")); break;
        case inline.strong: open.push(element("strong")); break;
        case inline.strikethrough: open.push(element("del")); break;
        case inline.link: open.push(linkElement(reader.text(), reader.text())); break;
        case inline.image: open.push(imagePlaceholder(reader.text(), reader.text())); break;
        case inline.plain: open.push(element("span")); break;
        case inline.cell: open.push(cellElement(alignments[reader.byte()])); break;
        case inline.close: {
          const node = open.pop();
          node.finish?.();
          put(node);
          break;
        }
        case inline.lineBreak: put(element("br")); break;
        case inline.code: put(element("code", { dir: "ltr" }, ...textNodes(reader.text(), true))); break;
        case inline.math: put(element("code", { class: "math", dir: "ltr" }, reader.text())); break;
        case inline.displayMath: put(element("code", { class: "math display", dir: "ltr" }, reader.text())); break;
        case inline.footnote: {
          const anchor = this.#anchor(reader.number());
          put(element("sup", {}, element("a", { href: `#${anchor}`, role: "doc-noteref" }, reader.text())));
          break;
        }
        case inline.line: content.lines.push(this.#line(reader)); break;
        case inline.info: content.info = reader.text(); break;
        default: throw new Error(`patch: ${code}`);
      }
    }
  }
}

class Reader {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }
  get isAtEnd() { return this.#at >= this.#bytes.length; }
  byte() { return this.#bytes[this.#at++]; }
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
  text() {
    const count = this.number();
    this.#at += count;
    return decoder.decode(this.#bytes.subarray(this.#at - count, this.#at));
  }
}
