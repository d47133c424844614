import BenchCore
import BenchSystem

/// One of the client's streams: a connection, what is being read on it, and the answer that this belongs to.
final class Reader {
    enum Phase {
        case idle, connecting, sending, reading, finished
    }

    let number: Int
    /// The reader whose answers this one follows; nil for one that asks itself.
    let leader: Reader?
    var followers: [Reader] = []
    var phase = Phase.idle
    var socket: Socket?
    /// Tells a ready socket from an earlier one of the same reader.
    var epoch: UInt64 = 0
    var request: [UInt8] = []
    var sent = 0
    var response = ResponseReader()
    var scanner = EventScanner()
    var refusal: [UInt8] = []
    /// Bytes of the body to read before this connection is cut.
    var bytesToCut: Int?
    var work: Work
    var round = 0
    var turnInConversation = 0
    var wasOpened = false
    var failures = 0

    init(number: Int, leader: Reader?, shape: Shape) {
        self.number = number
        self.leader = leader
        work = Work(tally: AnswerTally(pieceSize: shape.bytes))
    }

    var key: UInt64 { epoch << 32 | UInt64(number) }
}
