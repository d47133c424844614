/// What the keys do, for the page of help.
enum Help {
    /// A heading has no words.
    struct Line: Equatable {
        let key: String
        let words: String
    }

    static let lines: [Line] = [
        Line(key: "Everywhere", words: ""),
        Line(key: "Tab", words: "from the prompt to the messages, to the list, and back"),
        Line(key: "Esc", words: "stop the answer; close what is open"),
        Line(key: "Ctrl-N", words: "a new conversation (Ctrl-T makes it temporary)"),
        Line(key: "Ctrl-O, F2", words: "the list of conversations"),
        Line(key: "Ctrl-F, F3", words: "search in everything that was said"),
        Line(key: "Ctrl-R", words: "another answer, or another try"),
        Line(key: "Ctrl-X", words: "copy the last answer"),
        Line(key: "PgUp, PgDn", words: "scroll; Ctrl-Home and Ctrl-End go to the ends"),
        Line(key: "Shift + mouse", words: "select text, by the terminal itself; the wheel scrolls"),
        Line(key: "Ctrl-Z, Ctrl-L", words: "to the shell and back with fg; draw the screen again"),
        Line(key: "Ctrl-C", words: "stop, then clear, then leave"),
        Line(key: "", words: ""),
        Line(key: "Prompt", words: ""),
        Line(key: "Enter", words: "send"),
        Line(key: "Alt-Enter, Ctrl-J", words: "a new line"),
        Line(key: "↑ ↓", words: "move; at the ends, earlier prompts"),
        Line(key: "Ctrl-←, Ctrl-→", words: "by words"),
        Line(key: "Ctrl-W, Ctrl-U, Ctrl-K", words: "cut a word, to the start, to the end of the line"),
        Line(key: "Ctrl-Y", words: "put back what was cut"),
        Line(key: "Ctrl-D", words: "leave, when nothing is typed"),
        Line(key: "", words: ""),
        Line(key: "Messages", words: ""),
        Line(key: "↑ ↓", words: "from message to message"),
        Line(key: "← →", words: "the versions of a message: ‹ 2/3 ›"),
        Line(key: "e, Enter", words: "write the prompt anew, as a branch"),
        Line(key: "r", words: "another answer to this prompt, or another try"),
        Line(key: "c", words: "copy the message"),
        Line(key: "x", words: "take back a prompt that waits"),
        Line(key: "", words: ""),
        Line(key: "List", words: ""),
        Line(key: "Enter", words: "open"),
        Line(key: "n  r  p  d", words: "new, rename, pin, delete"),
        Line(key: "/  ?", words: "search, this page"),
    ]
}
