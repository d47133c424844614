import BenchCore

/// Everything that a run counts; printed as one line of JSON.
struct Findings {
    var asked = 0
    var completed = 0
    var failed = 0
    var refused = 0
    var drops = 0
    var cuts = 0
    var resumes = 0
    var pieces = 0
    var lost = 0
    var repeated = 0
    var foreign = 0
    var events = 0
    var textEvents = 0
    var snapshots = 0
    var eventGaps = 0
    var eventRepeats = 0
    var comments = 0
    var bodyBytes = 0
    var headBytes = 0
    var ends: [String: Int] = [:]
    var failure = ""
    var firstPiece = Histogram()
    var age = Histogram()
    /// The same, only while every stream was open and none had ended.
    var steadyAge = Histogram()
    var steadyFrom: Int64?
    var steadyUntil: Int64?
    var began: Int64 = 0
    var ended: Int64 = 0

    func json(processor: Int64) -> String {
        let seconds = { (nanoseconds: Int64) in decimal(Double(nanoseconds) / 1e9) }
        let steady = steadyFrom.map { max(0, (steadyUntil ?? ended) - $0) } ?? 0
        let states = ends.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return """
            {"event":"result","asked":\(asked),"completed":\(completed),"failed":\(failed),"refused":\(refused),\
            "drops":\(drops),"cuts":\(cuts),"resumes":\(resumes),"pieces":\(pieces),"lost":\(lost),\
            "repeated":\(repeated),"foreign":\(foreign),"events":\(events),"text_events":\(textEvents),\
            "snapshots":\(snapshots),"event_gaps":\(eventGaps),"event_repeats":\(eventRepeats),"comments":\(comments),\
            "body_bytes":\(bodyBytes),"head_bytes":\(headBytes),"ends":{\(states)},"failure":\(quoted(failure)),\
            "first_piece":\(firstPiece.summary),"age":\(age.summary),"steady_age":\(steadyAge.summary),\
            "steady_seconds":\(seconds(steady)),"elapsed":\(seconds(ended - began)),"processor":\(seconds(processor))}
            """
    }

    private func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                scalar == "\"" || scalar == "\\" || scalar.value < 32 ? " " : String(scalar)
            }.joined() + "\""
    }
}
