import BenchCore

/// One answer as one reader sees it, across all the connections that it takes.
struct Work {
    var conversation = ""
    var parent: String?
    var turn = ""
    var answer = ""
    /// Whether the server has accepted the turn.
    var isAcknowledged = false
    /// The number of the last event read.
    var cursor = 0
    var tally: AnswerTally
    /// When the request was sent, until the first piece has come.
    var asked: Int64?
    var hasText = false
    /// The end state that the server told.
    var end: String?
    var cutsLeft = 0
}
