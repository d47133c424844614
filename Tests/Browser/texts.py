"""What the scripted model writes beyond its built-in scripts: Markdown of every kind, and texts that mean harm."""

RICH = """# How an answer travels

An answer is a **log**: numbered events, and whoever holds event *forty* asks for the forty-first. Code like `after=40`
stands in the text, and so does ~~what was struck~~. See [the format](https://example.org/format "What it says") or
https://example.org/plain for more.

## What happens

1. The server writes a piece into the log.
2. Every reader gets it:
   - the page you look at,
   - the terminal,
   - a phone that was asleep.
3. Nothing is shown twice.

- [x] The text stays
- [ ] The line comes back

> A reader who went away has lost nothing.
> What was written meanwhile is waiting.

> [!WARNING]
> A silent line and a dead line look alike for a while.

```swift
struct Reader {
    var seq = 0
    // What has been seen is not seen again.
    mutating func take(_ event: Event) {
        guard event.seq == seq + 1 else { return }
        seq = event.seq
    }
}
```

| Reader | Holds | Asks for |
|:-------|------:|:--------:|
| page   |    40 | 41 |
| phone  |     7 | 8 |
| a reader with a very long name that does not fit a narrow screen | 1 | 2 |

![A picture of a line](https://images.example.net/line.png)

The cost is $O(n)$, as the note says.[^1]

[^1]: For *n* pieces, each of which is looked at once.

---

That is all.
"""

ARABIC = """## الإجابة سجلّ

الإجابة **سجلّ** من أحداث مرقّمة، ومن لديه الحدث الأربعون يطلب الحادي والأربعين. يظهر الرمز `after=40` كما هو.

1. يكتب الخادم قطعة في السجل.
2. يصل إليها كل قارئ.

An English paragraph stands the other way round.

```swift
let seq = 40 // stays left to right
```

| القارئ | لديه |
|---|---|
| الصفحة | ٤٠ |
"""

HOSTILE = """<script>window.harm = 1</script>

<img src="https://evil.example/pixel.png" onerror="window.harm = 2">

<svg onload="window.harm = 3"><style>@import "https://evil.example/a.css"</style></svg>

<iframe src="https://evil.example/"></iframe> <style>body { background: url(https://evil.example/b.png) }</style>

[one](javascript:window.harm=4) [two](JaVaScRiPt:window.harm=5) [three](java&#10;script:window.harm=6)
[four](data:text/html,<script>window.harm=7</script>) [five](vbscript:harm) [six](file:///etc/passwd)
[seven](/v1/sessions) [eight](//evil.example/x) [nine]( javascript:window.harm=8) [ten](blob:https://evil.example/1)

![pixel](https://evil.example/tracking.png) ![js](javascript:window.harm=9) ![data](data:image/svg+xml,<svg onload=alert(1)>)

<javascript:window.harm=10> <https://evil.example/" onmouseover="window.harm=11>

[https://bank.example](https://evil.example/login) and [bank](https://xn--bnk-6cd.example/) and [user](https://bank.example@evil.example/)

| a | b |
|---|---|
| <b onclick="window.harm=12">x</b> | [c](javascript:window.harm=13) |

```html" onload="window.harm=14
<script>window.harm = 15</script>
```

Reversed \u202e txt.exe \u202c and isolated \u2066 fine \u2069.

```c
if (isAdmin\u202e \u2066// check\u2069 \u2066) {
```

[ref]: javascript:window.harm=16
[ref] and [a][ref]

End of harm.
"""


def pieces(text, size=7, wait=4, usage=(5, 50)):
    """A script that writes a text in pieces of a few characters."""
    steps = []
    for start in range(0, len(text), size):
        steps.append({"text": text[start:start + size]})
        if wait:
            steps.append({"wait": wait})
    return {"steps": [*steps, {"finish": "stop"}, {"usage": list(usage)}, {"done": True}]}


def long_answer(seconds, per_second):
    """Prose, a table and code, at a pace, for as long as asked."""
    table = "| Reader | Holds |\n|---|---:|\n" + "".join(f"| reader {n} | {n} |\n" for n in range(30)) + "\n"
    code = "```swift\n" + "".join(f"let value{n} = take({n}) // piece {n}\n" for n in range(40)) + "```\n\n"
    prose = "".join(f"Sentence {n} says **something** about `piece {n}` and goes on for a while. " for n in range(12)) + "\n\n"
    text = ""
    while len(text) < 6 * seconds * per_second:
        text += prose + table + code
    return pieces(text[:6 * seconds * per_second], size=6, wait=round(1000 / per_second))


SCRIPTS = {
    "rich": pieces(RICH), "arabic": pieces(ARABIC), "hostile": pieces(HOSTILE), "hostile-at-once": pieces(HOSTILE, size=10_000),
    "wide": pieces("| a | b | c | d | e | f | g | h |\n|" + "---|" * 8 + "\n" + "| word " * 8 + "|\n\n```\n" + "wide " * 40 + "\n```\n"),
    "facts": pieces('{"facts":["lives in Lyon"]}', wait=0),
    "minute": long_answer(60, 100), "seconds-8": long_answer(8, 100),
}
