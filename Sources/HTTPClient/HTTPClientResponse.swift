/// A reply whose head has come and whose body is read as it comes.
///
/// It has one reader. Letting go of it closes the connection, as ``cancel()`` does.
package final class HTTPClientResponse: Sendable {
    package let status: Int
    /// In the order received.
    package let fields: [(name: String, value: String)]

    private let channel: ReplyChannel
    private let loop: TransferLoop

    init(_ head: ReplyHead, channel: ReplyChannel, loop: TransferLoop) {
        status = head.status
        fields = head.fields
        self.channel = channel
        self.loop = loop
    }

    deinit { loop.abandon(channel) }

    /// The first field of a name, whatever its case.
    package func field(_ name: String) -> String? {
        let wanted = name.utf8.map(Self.lowercased)
        return fields.first { $0.name.utf8.map(Self.lowercased) == wanted }?.value
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Waits for the next bytes of the body; nil when it ended as it should.
    ///
    /// A reader that falls behind holds the sender back.
    /// - Throws: `CancellationError` if the task is cancelled, which closes the connection at once; otherwise
    ///   ``HTTPClientError``, after all bytes that came before the failure.
    package func nextPiece() async throws -> ArraySlice<UInt8>? {
        try await withTaskCancellationHandler {
            try await next()
        } onCancel: {
            cancel()
        }
    }

    /// Hands over the pieces of the body as they come, until it ended as it should or `take` returns false.
    ///
    /// - Throws: what ``nextPiece()`` throws.
    package func forEachPiece(_ take: (ArraySlice<UInt8>) async -> Bool) async throws {
        try await withTaskCancellationHandler {
            while let piece = try await next(), await take(piece) {}
        } onCancel: {
            cancel()
        }
    }

    private func next() async throws -> ArraySlice<UInt8>? {
        guard let piece = try await channel.next() else { return nil }
        if piece.wasHeldBack { loop.post(.goOn(channel)) }
        return piece.bytes[...]
    }

    /// Reads the rest of the body.
    ///
    /// - Throws: ``HTTPClientError/Code/tooLarge`` over `limit` bytes, which closes the connection; and what
    ///   ``nextPiece()`` throws.
    package func collect(limit: Int) async throws -> [UInt8] {
        var body: [UInt8] = []
        while let piece = try await nextPiece() {
            guard body.count + piece.count <= limit else {
                cancel()
                throw HTTPClientError(.tooLarge, "the reply's body is over \(limit) bytes")
            }
            body.append(contentsOf: piece)
        }
        return body
    }

    /// Closes the connection now.
    ///
    /// A reader that waits is woken with ``HTTPClientError/Code/cancelled``.
    package func cancel() { loop.cancel(channel) }

    /// Lets the reply run for so much longer at most; it then fails as timed out.
    ///
    /// For a reader that has all it came for and waits for what may follow.
    package func limitRest(to duration: Duration) { loop.post(.limitRest(channel, duration)) }

    /// Reads no further.
    ///
    /// What is still to come is thrown away for up to a second, so that a reply which is over leaves its connection to
    /// the next request; after that the connection is closed.
    package func leave() {
        let wasHeldBack = channel.discard()
        loop.post(.limitRest(channel, .seconds(1)))
        if wasHeldBack { loop.post(.goOn(channel)) }
    }
}
