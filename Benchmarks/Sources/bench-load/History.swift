import BenchSystem

/// Everything that the client was told, one JSON object a line; the checker holds the server to it.
struct History {
    private let file: LogFile

    init(path: String) throws(SystemFailure) { file = try LogFile(path: path) }

    /// The turn was accepted: from here on it must never be lost.
    func accepted(_ work: Work) {
        let parent = work.parent.map { "\"\($0)\"" } ?? "null"
        write(
            """
            {"kind":"accepted","conversation":"\(work.conversation)","turn":"\(work.turn)","answer":"\(work.answer)",\
            "parent":\(parent)}
            """)
    }

    /// A reader saw an event.
    func saw(_ number: Int, _ name: [UInt8], _ data: ArraySlice<UInt8>, of answer: String) {
        let start = #"{"kind":"event","answer":"\#(answer)","number":\#(number),"name":""#
        file.append(start.utf8)
        file.append(name)
        file.append(#"","data":"#.utf8)
        file.append(data)
        file.append("}\n".utf8)
    }

    func flush() { file.flush() }

    private func write(_ line: String) { file.append((line + "\n").utf8) }
}
