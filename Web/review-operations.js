// What each operation asks for, the request that it becomes, and what is made of the changes that were accepted.

const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

const itemsOf = (text) => linesOf(text).map((title, index) => ({ id: String(index), title }));

function groupsOf(text) {
  return linesOf(text).map((line) => {
    const [title, examples = ""] = line.split(":", 2);
    const named = examples.split(";").map((example) => example.trim()).filter((example) => example !== "");
    return { id: title.trim(), title: title.trim(), examples: named.slice(0, 3) };
  });
}

/** A field of a table as programs for tables read it; what would begin a formula there does not. */
function field(text) {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\n\r]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function table(request, changes) {
  const groups = new Map(changes.map((change) => [change.id, change.after]));
  const rows = request.items.map(({ id, title }) => `${field(title)},${field(groups.get(id) ?? "")}`);
  return { text: `${["title,group", ...rows].join("\n")}\n`, type: "text/csv", file: "groups.csv" };
}

const itemTitle = (change, request) => request.items.find((item) => item.id === change.id)?.title;

export const operations = {
  rewrite: {
    name: "rewrite",
    fields: [{ name: "text", rows: 6 }, { name: "tone", choices: ["correct", "plain", "shorter", "friendly", "formal"] }],
    request: (value) => value("text").trim() === "" ? undefined : { text: value("text").trim(), tone: value("tone") },
    result: (request, [change]) => ({ text: change.after, type: "text/plain", file: "rewritten.txt" }),
  },
  classify: {
    name: "classify",
    fields: [{ name: "items", rows: 5 }, { name: "groups", rows: 3 }],
    request(value) {
      const [items, groups] = [itemsOf(value("items")), groupsOf(value("groups"))];
      return items.length > 0 && groups.length > 1 ? { items, groups } : undefined;
    },
    title: itemTitle,
    result: table,
  },
  group: {
    name: "group",
    fields: [{ name: "items", rows: 6 }],
    request(value) {
      const items = itemsOf(value("items"));
      return items.length > 1 ? { items } : undefined;
    },
    title: itemTitle,
    result: table,
  },
  extract: {
    name: "extract.expense",
    fields: [{ name: "text", rows: 6 }],
    showsAll: true,
    request: (value) => value("text").trim() === "" ? undefined : { text: value("text").trim(), schema: "extract.expense" },
    result(request, changes) {
      const values = Object.fromEntries(changes.map((change) => [change.id, change.after]));
      return { text: `${JSON.stringify(values, undefined, 2)}\n`, type: "application/json", file: "expense.json" };
    },
  },
};
