// Finding conversations: by the server over everything that was said, where it can; by title here, where it cannot.

import { call, Refusal } from "/api.js";
import { byID } from "/dom.js";

const field = byID("search");
let isOffered = true;
let asked = 0;

/** Calls `found(hits)` as somebody types, with nothing once the field is empty. `known()` are the conversations here. */
export function onSearch(known, found) {
  let timer;
  field.oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(run, 120);
  };
  field.onkeydown = (event) => {
    if (event.key === "Escape" && field.value !== "") {
      event.stopPropagation();
      field.value = "";
      run();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      document.querySelector("#conversations .conversation")?.focus();
    }
  };

  async function run() {
    const query = field.value.trim();
    const own = (asked += 1);
    if (query === "") return found(undefined);
    const here = byTitle(known(), query);
    found(here);
    const there = await atServer(query);
    if (own !== asked || !there) return;
    const ids = new Set(there.map((hit) => hit.id));
    found([...there, ...here.filter((hit) => !ids.has(hit.id))]);
  }
}

/** Empties the field. */
export function endSearch() {
  asked += 1;
  field.value = "";
}

async function atServer(query) {
  if (!isOffered) return undefined;
  try {
    const reply = await call("GET", `/v1/search?q=${encodeURIComponent(query)}&limit=30`);
    const seen = new Set();
    return (reply.items ?? []).map(hitOf).filter(({ id }) => id && !seen.has(id) && seen.add(id));
  } catch (problem) {
    if (problem instanceof Refusal && [404, 405, 501].includes(problem.status)) isOffered = false;
    return undefined;
  }
}

function hitOf({ conversation, title, at, excerpt }) {
  const isTitle = excerpt?.text === title;
  const ranges = excerpt ? places(excerpt.text, excerpt.matches) : [];
  return isTitle ? { id: conversation, title, titleRanges: ranges, updated_at: at }
    : { id: conversation, title, updated_at: at, snippet: excerpt && { text: excerpt.text, ranges } };
}

/** Matches as places in a text: the server counts bytes of UTF-8. */
function places(text, matches = []) {
  const bytes = new TextEncoder().encode(text);
  const place = (count) => new TextDecoder().decode(bytes.subarray(0, count)).length;
  return matches.map(([start, end]) => [place(start), place(end)]);
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function byTitle(conversations, query) {
  const terms = folded(query).split(/\s+/u);
  return conversations.filter(({ title }) => title && terms.every((term) => folded(title).includes(term)))
    .map((item) => ({ ...item, titleRanges: ranges(item.title, terms) }));
}

/** Where the terms stand in a title. Folding can change lengths, so that each letter is folded by itself. */
function ranges(title, terms) {
  const starts = [];
  let plain = "";
  for (const { segment, index } of new Intl.Segmenter().segment(title)) {
    for (const letter of folded(segment)) {
      starts.push(...Array.from(letter, () => [index, index + segment.length]));
      plain += letter;
    }
  }
  const found = terms.flatMap((term) => {
    const at = plain.indexOf(term);
    return at < 0 ? [] : [[starts[at][0], starts[at + term.length - 1][1]]];
  });
  return found.sort((one, other) => one[0] - other[0]).filter((range, index, all) => index === 0 || range[0] >= all[index - 1][1]);
}
