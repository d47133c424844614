import BenchCore
import BenchSystem

/// Folds what the readers are given into the findings and the history.
final class Observer {
    var findings = Findings()
    private let route: Plan.Route
    private let shape: Shape
    private let readerCount: Int
    private let history: History?
    private var withText = 0

    private static let contentName = Array(#""content""#.utf8)
    private static let textName = Array(#""text""#.utf8)
    private static let stateName = Array(#""state""#.utf8)
    // In `{"type":"text","text":"…"}` the first `"text"` is a value; the name is the one with a colon behind it.
    private static let partName = Array(#""text":"#.utf8)

    init(plan: Plan) throws(SystemFailure) {
        route = plan.route
        shape = plan.shape
        readerCount = plan.streams * (1 + plan.followers)
        history = if let path = plan.history { try History(path: path) } else { nil }
    }

    /// The server has taken a turn.
    func accepted(_ work: Work) { if route == .native { history?.accepted(work) } }

    /// A reader is through with an answer.
    func ended(_ work: Work, as end: String, at now: Int64) {
        findings.steadyUntil = findings.steadyUntil ?? now
        findings.ends[end, default: 0] += 1
        findings.completed += 1
        if end == "done" { findings.lost += max(0, shape.pieces - work.tally.pieces) }
    }

    /// Writes the rest of the history.
    func flush() { history?.flush() }

    /// Takes an event that a reader has just been given.
    func take(_ event: EventScanner.Event, at now: Int64, of reader: Reader) {
        findings.events += 1
        route == .chat ? takeChunk(event.data, now, reader) : takeLogged(event, now, reader)
    }

    private func takeChunk(_ data: ArraySlice<UInt8>, _ now: Int64, _ reader: Reader) {
        if data.first == UInt8(ascii: "[") { return reader.work.end = "done" }
        if let text = data.string(after: Self.contentName), !text.isEmpty { takeText(text, now, reader) }
    }

    private func takeLogged(_ event: EventScanner.Event, _ now: Int64, _ reader: Reader) {
        guard let number = event.id else {
            findings.foreign += 1
            return
        }
        let isSnapshot = event.name == Array("snapshot".utf8)
        if number <= reader.work.cursor {
            findings.eventRepeats += 1
            return
        }
        if number > reader.work.cursor + 1, !isSnapshot { findings.eventGaps += 1 }
        reader.work.cursor = number
        history?.saw(number, event.name, event.data, of: reader.work.answer)
        switch event.name.first {
        case UInt8(ascii: "t") where event.name.count == 4:
            if let text = event.data.string(after: Self.textName) { takeText(text, now, reader) }
        case UInt8(ascii: "s") where isSnapshot:
            findings.snapshots += 1
            // It stands for the whole text so far; what this reader has already read is skipped.
            if let text = event.data.string(after: Self.partName) {
                takeText(text.dropFirst(reader.work.tally.size), now, reader)
            }
        case UInt8(ascii: "e") where event.name.count == 3:
            let state = event.data.string(after: Self.stateName)
            reader.work.end = state.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        default: break
        }
    }

    private func takeText(_ text: ArraySlice<UInt8>, _ now: Int64, _ reader: Reader) {
        findings.textEvents += 1
        if let asked = reader.work.asked {
            findings.firstPiece.add(now - asked)
            reader.work.asked = nil
        }
        let isSteady = findings.steadyFrom != nil && findings.steadyUntil == nil
        let before = (reader.work.tally.lost, reader.work.tally.repeated, reader.work.tally.foreign)
        reader.work.tally.feed(text, now: now) { age in
            findings.pieces += 1
            findings.age.add(age)
            if isSteady { findings.steadyAge.add(age) }
        }
        findings.lost += reader.work.tally.lost - before.0
        findings.repeated += reader.work.tally.repeated - before.1
        findings.foreign += reader.work.tally.foreign - before.2
        if !reader.work.hasText {
            reader.work.hasText = true
            if reader.round == 0 { withText += 1 }
            if withText == readerCount, findings.steadyFrom == nil { findings.steadyFrom = now }
        }
    }
}
