// One change that is looked at: what it was, what it would be, whether it is chosen, and other words in its place.

import { element, setText } from "/dom.js";

/** A line of the review. `edit(text)` gives why the words cannot stand, or nothing. */
export function changeRow(change, { words, operation, request, isChosen, choose, edit }) {
  const isReal = change.before !== change.after;
  const title = words.changes[change.id] ?? operation.title?.(change, request) ?? change.title;
  const box = element("input", { type: "checkbox", checked: isChosen && isReal, disabled: !isReal, onchange: () => choose(box.checked) });
  const open = element("button", { class: "quiet", type: "button", "aria-expanded": "false" }, words.edit);
  const item = element(
    "li", {},
    element("div", { class: "review-head" }, element("label", {}, box, element("span", { dir: "auto" }, title)), open),
    difference(change, words));
  item.dataset.change = change.id;
  open.onclick = () => {
    if (item.querySelector("form")) return;
    open.setAttribute("aria-expanded", "true");
    const editor = editing(change, title, words, edit, () => {
      editor.remove();
      open.setAttribute("aria-expanded", "false");
      open.focus();
    });
    item.append(editor);
    editor.querySelector("textarea, input").focus();
  };
  return item;
}

/** Before and after in one text; screen readers are told what goes and what comes. */
function difference({ before, after, parts }, words) {
  if (after === "") return element("p", { class: "review-text" }, words.empty);
  if (before === "") return element("p", { class: "review-text", dir: "auto" }, after);
  const nodes = parts.map(({ kind, text }) => kind === "same" ? text
    : element(kind === "removed" ? "del" : "ins", {},
      element("span", { class: "visually-hidden" }, kind === "removed" ? words.removed : words.added), text));
  return element("p", { class: "review-text", dir: "auto" }, ...nodes);
}

function editing(change, title, words, edit, close) {
  const input = change.after.length > 60 || change.after.includes("\n")
    ? element("textarea", { rows: 5, dir: "auto", "aria-label": title }, change.after)
    : element("input", { type: "text", dir: "auto", "aria-label": title });
  input.value = change.after;
  const error = element("p", { class: "form-error", role: "alert" });
  const save = element("button", { class: "secondary", type: "submit" }, words.save);
  const form = element(
    "form", { class: "review-edit" }, input, error,
    element("div", { class: "review-row" }, save, element("button", { class: "quiet", type: "button", onclick: close }, words.keep)));
  form.onsubmit = async (event) => {
    event.preventDefault();
    save.disabled = true;
    const why = await edit(input.value);
    save.disabled = false;
    setText(error, why ?? "");
    input.setAttribute("aria-invalid", String(why !== undefined));
  };
  form.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return form;
}
