// A browser compiles a function when it is first called, and makes its formats of numbers when it is first asked for one.
// The first words of an answer would wait for all of that, so a short answer is read and drawn beforehand where nobody
// sees it, bit by bit, while nothing else is to do.

import { CoreAnswer } from "/core.js";
import { element } from "/dom.js";
import { counted, moment } from "/language.js";
import { Picture } from "/patch.js";

const events = [
  ["text", { text: "# A *heading*\n\nWords, `code` and [a link](https://example.org/).\n\n" }],
  ["text", { text: "1. one\n   - two\n\n> three\n\n" }],
  ["text", { text: "| a | b |\n|---|---|\n| 1 | **2** |\n\n" }],
  ["text", { text: "~~~swift\nlet one = \"1\" // one\n" }],
  ["text", { text: "~~~\n\nAnd the end." }],
  ["end", { state: "done", reason: "complete" }],
];
const whenIdle = globalThis.requestIdleCallback ?? ((run) => setTimeout(() => run({ timeRemaining: () => 0 }), 50));

/** Begins; what is left is done whenever there is time. */
export function rehearse() {
  const answer = new CoreAnswer();
  const picture = new Picture(element("div"));
  const encoder = new TextEncoder();
  const steps = [
    ...events.map(([event, data], index) => () => {
      answer.feed(encoder.encode(`id: ${index + 1}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      picture.apply(answer.patch(index === 0));
    }),
    () => [answer.head, answer.said, answer.close()],
    () => counted(1, { other: "#" }),
    () => moment(Date.now()),
  ];
  const go = (idle) => {
    do steps.shift()(); while (steps.length > 0 && idle.timeRemaining() > 10);
    if (steps.length > 0) whenIdle(go);
  };
  whenIdle(go);
}
