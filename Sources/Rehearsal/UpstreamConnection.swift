import RejoinCore

/// One connection of a ``ScriptedUpstream``: reads requests, plays their scripts.
struct UpstreamConnection: Sendable {
    /// A script being played.
    struct Play: Sendable {
        var request: Int
        var script: Script
        var position = 0
        /// How far a step that takes several turns is: bytes of a dribble, pieces of a paced run.
        var progress = 0
        var resumesAt: ContinuousClock.Instant?
        var pacedSince: ContinuousClock.Instant?
        var holds: String?
        var hasSentHead = false
    }

    /// How a step left the connection.
    private enum Next {
        case goOn, waits, replied, closes, cuts
    }

    /// What became of the connection in a turn.
    enum Fate: Equatable {
        case lives
        /// The reply was played to its end.
        case replied(request: Int)
        case gone
    }

    let socket: Socket
    var input: [UInt8] = []
    var output: [UInt8] = []
    var play: Play?
    /// Once the output is written.
    private var closesAfterOutput = false
    private var awaitsPeer = false

    init(_ socket: Socket) { self.socket = socket }

    var wantsToWrite: Bool { !output.isEmpty }

    /// Writes what the system takes; false when the connection is gone.
    mutating func flush() -> Bool {
        while !output.isEmpty {
            switch socket.write(output[...]) {
            case .bytes(let count): output.removeFirst(count)
            case .wouldWait: return true
            case .gone: return false
            }
        }
        if closesAfterOutput, !awaitsPeer {
            // The write side first: closing with unread bytes in the buffer would reset the connection.
            socket.closeWriting()
            awaitsPeer = true
        }
        return true
    }

    /// Goes on with the script as far as time and releases allow.
    mutating func perform(now: ContinuousClock.Instant, releases: inout [String: Int]) -> Fate {
        guard flush() else { return .gone }
        while var current = play {
            if let due = current.resumesAt, due > now { return .lives }
            current.resumesAt = nil
            if let name = current.holds {
                guard let count = releases[name], count > 0 else { return .lives }
                releases[name] = count - 1
                current.holds = nil
            }
            sendHead(&current)
            let next = current.position < current.script.steps.count ? step(&current, now: now) : .replied
            play = current
            switch next {
            case .goOn: continue
            case .waits: return flush() ? .lives : .gone
            case .replied, .closes:
                play = nil
                if next == .closes { closesAfterOutput = true }
                return flush() ? .replied(request: current.request) : .gone
            case .cuts:
                play = nil
                _ = flush()
                return .replied(request: current.request)
            }
        }
        return flush() ? .lives : .gone
    }

    private(set) var isCut = false

    private mutating func step(_ play: inout Play, now: ContinuousClock.Instant) -> Next {
        switch play.script.steps[play.position] {
        case .bytes(let bytes): send(bytes[...], play)
        case .dribble(let bytes, let size):
            let end = min(bytes.count, play.progress + size)
            send(bytes[play.progress..<end], play)
            play.progress = end
            if end < bytes.count {
                play.resumesAt = now
                return .waits
            }
        case .wait(let milliseconds):
            play.resumesAt = now + .milliseconds(milliseconds)
            play.position += 1
            return .waits
        case .hold(let name):
            play.holds = name
            play.position += 1
            return .waits
        case .paced(let pieces, let rate):
            let start = play.pacedSince ?? now
            play.pacedSince = start
            while play.progress < pieces {
                let due = start + .seconds(Double(play.progress) / rate)
                guard due <= now else {
                    play.resumesAt = due
                    return .waits
                }
                send(Script.Step.chunk(delta: "content", "tok\(play.progress) ")[...], play)
                play.progress += 1
            }
            play.pacedSince = nil
        case .end:
            switch play.script.framing {
            case .chunked: output.append(contentsOf: "0\r\n\r\n".utf8)
            case .length: break
            case .untilClose, .raw: return .closes
            }
            return .replied
        case .close: return .closes
        case .cut:
            isCut = true
            return .cuts
        }
        play.position += 1
        play.progress = 0
        return .goOn
    }

    private mutating func send(_ bytes: ArraySlice<UInt8>, _ play: Play) {
        if bytes.isEmpty { return }
        if play.script.framing == .chunked {
            output.append(contentsOf: String(bytes.count, radix: 16).utf8)
            output.append(contentsOf: "\r\n".utf8)
            output.append(contentsOf: bytes)
            output.append(contentsOf: "\r\n".utf8)
        } else {
            output.append(contentsOf: bytes)
        }
    }

    private mutating func sendHead(_ play: inout Play) {
        if play.hasSentHead { return }
        play.hasSentHead = true
        let script = play.script
        var head = "HTTP/1.1 \(script.status) Scripted\r\n"
        for field in script.fields { head += "\(field.name): \(field.value)\r\n" }
        switch script.framing {
        case .raw: return
        case .chunked: head += "Transfer-Encoding: chunked\r\n"
        case .untilClose: head += "Connection: close\r\n"
        case .length:
            let length = script.steps.reduce(0) { sum, step in
                switch step {
                case .bytes(let bytes), .dribble(let bytes, _): sum + bytes.count
                default: sum
                }
            }
            head += "Content-Length: \(length)\r\n"
        }
        output.append(contentsOf: (head + "\r\n").utf8)
    }
}
