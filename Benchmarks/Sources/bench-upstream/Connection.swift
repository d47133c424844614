import BenchCore
import BenchSystem

/// One client connection: requests in, and at most one answer under way.
final class Connection {
    let socket: Socket
    /// Tells this connection from a later one on the same descriptor.
    let key: UInt64
    var requests = RequestReader()
    var unsent: [UInt8] = []
    var isWaitingForRoom = false
    var answer: AnswerRecord?
    var shape = Shape()
    var frames: CompletionFrames?
    var withUsage = false
    var nextPiece = 0

    init(socket: Socket, key: UInt64) {
        self.socket = socket
        self.key = key
    }
}
