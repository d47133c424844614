/// Takes an HTTP/1.1 response apart as it arrives, whichever way its body is framed.
package struct ResponseReader: Sendable {
    private enum State {
        case head, counted, untilClose, chunkSize, chunkData, chunkEnd, trailer, complete, broken
    }

    private enum Framing {
        case close, chunked, length(Int)
    }

    /// The status code, once the head has arrived.
    package private(set) var status = 0
    /// Bytes of the head so far, with its empty line.
    package private(set) var headSize = 0
    /// Whether the connection cannot carry another request.
    package private(set) var closes = false
    /// Whether the status and the fields have arrived.
    package private(set) var hasHead = false
    private var framing = Framing.close
    private var state = State.head
    private var line: [UInt8] = []
    private var remaining = 0

    /// Ready for a response.
    package init() {}

    /// Whether the body has arrived whole.
    package var isComplete: Bool { state == .complete }
    /// Whether the other side broke the framing.
    package var isBroken: Bool { state == .broken }

    /// Takes bytes off the wire and adds where among them the body's parts lie.
    package mutating func feed(_ bytes: ArraySlice<UInt8>, into parts: inout [Range<Int>]) {
        var position = bytes.startIndex
        while position < bytes.endIndex {
            switch state {
            case .head, .chunkSize, .chunkEnd, .trailer:
                position = takeLines(bytes, from: position)
            case .counted, .chunkData:
                let end = min(bytes.endIndex, position + remaining)
                parts.append(position..<end)
                remaining -= end - position
                position = end
                if remaining == 0 { state = state == .counted ? .complete : .chunkEnd }
            case .untilClose:
                parts.append(position..<bytes.endIndex)
                return
            case .complete, .broken:
                return
            }
        }
    }

    /// Tells that the connection ended; a body without a length is whole then.
    package mutating func end() { state = state == .untilClose || state == .complete ? .complete : .broken }

    private mutating func takeLines(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            if state == .head { headSize += 1 }
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                if line.count > 1 << 16 { state = .broken }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            takeLine()
            line.removeAll(keepingCapacity: true)
            if state == .counted || state == .chunkData || state == .untilClose || state == .complete { break }
        }
        return position
    }

    private mutating func takeLine() {
        switch state {
        case .head: takeHeadLine()
        case .chunkSize:
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
                return state = .broken
            }
            remaining = size
            state = size == 0 ? .trailer : .chunkData
        case .chunkEnd: state = line.isEmpty ? .chunkSize : .broken
        case .trailer: if line.isEmpty { state = .complete }
        case .counted, .untilClose, .chunkData, .complete, .broken: break
        }
    }

    private mutating func takeHeadLine() {
        if status == 0 {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let code = Int(words[1]) else {
                return state = .broken
            }
            status = code
            closes = words[0] == "HTTP/1.0"
        } else if line.isEmpty {
            beginBody()
        } else {
            let field = String(decoding: line, as: UTF8.self).lowercased().split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { return }
            let value = field[1].filter { $0 != " " }
            switch field[0] {
            case "content-length": if case .close = framing { framing = Int(value).map { .length($0) } ?? .close }
            case "transfer-encoding": framing = .chunked
            case "connection": closes = value == "close"
            default: break
            }
        }
    }

    private mutating func beginBody() {
        if status == 100 {
            status = 0
            return
        }
        hasHead = true
        switch framing {
        case .chunked: state = .chunkSize
        case .length(let size):
            remaining = size
            state = size == 0 ? .complete : .counted
        case .close:
            closes = true
            state = status == 204 || status == 304 ? .complete : .untilClose
        }
    }
}
