"""Says in which cases the screen of pyte differs from what it should show."""

import json
import sys
import unicodedata

import pyte

for number, case in enumerate(json.load(sys.stdin)):
    screen = pyte.Screen(case["columns"], case["rows"])
    pyte.Stream(screen).feed(case["output"])
    shown = "\n".join(line.rstrip(" ") for line in screen.display)
    if unicodedata.normalize("NFC", shown) != unicodedata.normalize("NFC", case["text"]):
        print(f"{number}: {shown!r} is not {case['text']!r}")
    if case["cursor"] and [screen.cursor.y, screen.cursor.x] != case["cursor"]:
        print(f"{number}: cursor at {screen.cursor.y}, {screen.cursor.x}, not {case['cursor']}")
