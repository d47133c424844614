import RejoinCore

/// Makes pieces and an end of the body of a streamed chat completion, whatever way its bytes are cut.
///
/// It knows the end of an answer from the end of a connection: only `[DONE]` or a finish reason is the former. What
/// comes in place of a stream (a document, an error in any of its shapes) is noticed and named.
struct OpenAIStream {
    /// How the body ended.
    enum BodyEnd: Equatable {
        case clean, cut, timedOut
        /// We closed it.
        case stopped
    }

    private enum Mode {
        /// Too little has come to tell.
        case unknown
        case events
        /// One document instead of a stream.
        case document
    }

    /// Nothing further can change the outcome.
    private(set) var isOver = false
    /// The server said why the answer ends; only usage may follow.
    private(set) var hasFinishReason = false
    /// The answer came to its end; the connection is as good as new.
    var isComplete: Bool { hasFinishReason || hasDone && fault == nil }
    /// What the server counted, once it said so.
    private(set) var usage: Event.Usage?
    /// Bytes of text and reasoning so far, for an estimate.
    private(set) var producedBytes = 0
    /// True once a piece was made.
    var hasPieces: Bool { producedBytes > 0 }

    private var mode = Mode.unknown
    private let isDeclaredAsEvents: Bool
    private var parser = EventStreamParser(maximumEventSize: 8 << 20)
    private var pieces: [ModelPiece] = []
    private var text = OpenAIText()
    private var reasoning = OpenAIText()
    private var finishReason = ""
    private var hasDone = false
    private var fault: OpenAIFault?
    private var bodyEnd: BodyEnd?
    /// The beginning while the mode is unknown, then the document.
    private var kept: [UInt8] = []
    private var bareError = BareErrorLine()

    private static let maximumDocument = 8 << 20

    /// Starts at the beginning of a body.
    init(contentType: String?) {
        isDeclaredAsEvents = contentType?.lowercased().hasPrefix("text/event-stream") ?? false
    }

    /// Hands over the pieces made so far.
    mutating func takePieces() -> [ModelPiece] {
        defer { pieces = [] }
        return pieces
    }

    /// Takes the next bytes of the body.
    mutating func feed(_ bytes: ArraySlice<UInt8>) {
        if isOver { return }
        switch mode {
        case .unknown:
            kept.append(contentsOf: bytes)
            decideMode(atEnd: false)
        case .events: feedEvents(bytes)
        case .document:
            kept.append(contentsOf: bytes)
            if kept.count > Self.maximumDocument { fail(OpenAIFault(.malformed)) }
        }
    }

    /// Takes the end of the body.
    mutating func end(_ end: BodyEnd) {
        if isOver { return }
        if mode == .unknown { decideMode(atEnd: true) }
        bodyEnd = end
        switch mode {
        case .events, .unknown:
            // The last event may lack its blank line; it counts if it is whole by itself.
            parser.feed([0x0A, 0x0A]) { pending.append($0) }
            takeEvents(isLast: true)
            bareError.end()
            if !hasFinishReason, fault == nil, let error = bareError.fault { fail(error) }
        case .document where end == .clean: readDocument()
        case .document: break
        }
        isOver = true
    }

    /// How the answer ended, as far as the body tells; to be asked when it is over.
    func outcome(now: Timestamp) -> ModelEnd {
        if isComplete {
            switch finishReason {
            case "content_filter": return .refused(.contentFilter)
            case "error": return .failed(.upstreamFailed)
            case _ where !hasPieces: return .failed(.emptyAnswer)
            case "length", "max_tokens": return .finished(.length)
            default: return .finished(.complete)
            }
        }
        if let fault { return fault.end(now: now) }
        switch bodyEnd {
        case .timedOut: return .interrupted(.upstreamTimeout)
        case .stopped: return .interrupted(.serverStopped)
        default: return .interrupted(.upstreamClosed)
        }
    }

    // MARK: Events

    /// Filled and emptied within one call; kept for its storage.
    private var pending: [ServerSentEvent] = []

    private mutating func feedEvents(_ bytes: ArraySlice<UInt8>) {
        bareError.feed(bytes)
        parser.feed(bytes) { pending.append($0) }
        takeEvents(isLast: false)
        if parser.isOverflowing { fail(OpenAIFault(.malformed)) }
    }

    private mutating func takeEvents(isLast: Bool) {
        for event in pending where !isOver { take(event, isLast: isLast) }
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func take(_ event: ServerSentEvent, isLast: Bool) {
        if event.type == "error" {
            let document = try? JSONReader.parse(event.data)
            return fail(OpenAIFault(document?.object?["error"] ?? document ?? .null))
        }
        if event.data.elementsEqual("[DONE]".utf8) {
            hasDone = true
            if !hasFinishReason, let error = bareError.fault { return fail(error) }
            isOver = true
            return
        }
        if event.data.allSatisfy({ $0 == 0x20 }) { return }
        do {
            take(try OpenAIChunk(event.data))
        } catch {
            // The last event of a body that broke off is broken with it, and says nothing new.
            if !isLast { fail(OpenAIFault(.malformed)) }
        }
    }

    private mutating func take(_ chunk: OpenAIChunk) {
        if let fault = chunk.fault { return fail(fault) }
        if let piece = reasoning.append(chunk.reasoning) { add(piece, isReasoning: true) }
        if let piece = text.append(chunk.text) { add(piece, isReasoning: false) }
        if let usage = chunk.usage { self.usage = usage }
        if let reason = chunk.finishReason, !reason.isEmpty {
            finishReason = reason
            hasFinishReason = true
        }
    }

    /// Adds to the last piece if it is of the kind: what came in one read is handed over as one.
    private mutating func add(_ piece: String, isReasoning: Bool) {
        producedBytes += piece.utf8.count
        switch (pieces.last, isReasoning) {
        case (.text(let before), false): pieces[pieces.count - 1] = .text(before + piece)
        case (.reasoning(let before), true): pieces[pieces.count - 1] = .reasoning(before + piece)
        default: pieces.append(isReasoning ? .reasoning(piece) : .text(piece))
        }
    }

    /// A complaint after the finish reason does not take the answer back.
    private mutating func fail(_ fault: OpenAIFault) {
        if !hasFinishReason { self.fault = fault }
        isOver = true
    }

    // MARK: Documents

    private mutating func decideMode(atEnd: Bool) {
        var start = kept[...]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        start = start.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard atEnd || start.count >= 6 else { return }
        let isDocument: Bool
        if let first = start.first, "{[<".utf8.contains(first) {
            isDocument = true
        } else {
            let looksLikeEvents = ["data:", "event:", "id:", "retry:", ":"].contains { start.starts(with: $0.utf8) }
            isDocument = !isDeclaredAsEvents && !looksLikeEvents
        }
        if isDocument {
            mode = .document
        } else {
            mode = .events
            let beginning = kept
            kept = []
            feedEvents(beginning[...])
        }
    }

    private mutating func readDocument() {
        guard let chunk = try? OpenAIChunk(kept), chunk.fault != nil || chunk.hasChoice else {
            return fail(OpenAIFault(.malformed))
        }
        take(chunk)
        if chunk.fault == nil, !hasFinishReason { hasDone = true }
    }
}
