/// What became of one answer, for `GET /stats`.
final class AnswerRecord {
    enum State: String {
        case running, finished, aborted
    }

    /// The turn that the prompt named, so that the report can tell one prompt's answers from another's.
    let tag: String
    let started: Int64
    var firstPiece: Int64 = 0
    var ended: Int64 = 0
    var sent = 0
    var state = State.running

    init(tag: String, started: Int64) {
        self.tag = tag
        self.started = started
    }

    var json: String {
        """
        {"tag":"\(tag)","started":\(started),"first":\(firstPiece),"ended":\(ended),"sent":\(sent),\
        "state":"\(state.rawValue)"}
        """
    }
}
