#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Everything a ``FaultProxy`` knows: its pairs of connections and what shall be done to them.
struct FaultProxyState: PollDriven, Sendable {
    /// One client's connection and the one made for it.
    struct Pair: Sendable {
        let number: Int
        let client: Socket
        /// Nil once the target's side is closed.
        var target: Socket?
        /// A second connection that gets the same request bytes, and whose reply is thrown away.
        var shadow: Socket?
        var faults: FaultProxy.Faults
        /// Towards the target.
        var upward: [UInt8] = []
        var shadowUpward: [UInt8] = []
        /// Towards the client, each with the moment it may go.
        var downward: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
        /// When a slow line has passed on all that it was given.
        var lineIsFree = ContinuousClock.now
        /// All bytes that were read from the target, forwarded or not.
        var received = 0
        var forwarded = 0
        var targetHasClosed = false
        /// When the replies were dropped and the connection shall end.
        var isDropping = false
    }

    /// A reader that is this far behind holds the other side back.
    private static let highWater = 256 << 10

    private let listener: Socket
    private let targetPort: Int
    private(set) var pairs: [Pair] = []
    private(set) var counters = FaultProxy.Counters()
    /// What new connections get.
    var faults = FaultProxy.Faults()
    var refusesConnections = false
    /// Killed replies left: each connection takes one with it.
    var repliesToKill = 0

    init(_ listener: Socket, targetPort: Int) {
        self.listener = listener
        self.targetPort = targetPort
    }

    /// Changes the faults of all connections, now and to come.
    mutating func apply(_ change: (inout FaultProxy.Faults) -> Void) {
        change(&faults)
        for index in pairs.indices { change(&pairs[index].faults) }
    }

    /// Resets every connection on both sides.
    mutating func cutAll() {
        for pair in pairs { Self.cut(pair) }
        counters.cut += pairs.count
        pairs = []
    }

    /// Connections that are open now.
    var open: Int { pairs.count }

    // MARK: Turning

    func interests(into list: inout [pollfd]) {
        for pair in pairs {
            // Three places for each, so that the answers are found by position. A socket without interest is left out:
            // the system would report a broken one again and again.
            func add(_ socket: Socket?, _ events: Int) {
                let isWatched = events != 0 && !pair.faults.stalls
                list.append(pollfd(fd: isWatched ? socket?.descriptor ?? -1 : -1, events: Int16(events), revents: 0))
            }
            var client = pair.upward.count >= Self.highWater ? 0 : Int(POLLIN)
            if let next = pair.downward.first, next.due <= .now { client |= Int(POLLOUT) }
            add(pair.client, client)
            let waiting = pair.downward.reduce(0) { $0 + $1.bytes.count }
            var target = pair.targetHasClosed || waiting >= Self.highWater ? 0 : Int(POLLIN)
            if !pair.upward.isEmpty { target |= Int(POLLOUT) }
            add(pair.target, target)
            add(pair.shadow, Int(POLLIN) | (pair.shadowUpward.isEmpty ? 0 : Int(POLLOUT)))
        }
        list.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
    }

    var nextDeadline: ContinuousClock.Instant? {
        let now = ContinuousClock.now
        return pairs.lazy.filter { !$0.faults.stalls }.compactMap { $0.downward.first?.due }.filter { $0 > now }.min()
    }

    mutating func turn(_ ready: [pollfd], now: ContinuousClock.Instant) {
        var gone: [Int] = []
        for index in pairs.indices where !advance(index, ready, now: now) { gone.append(index) }
        for index in gone.reversed() { pairs.remove(at: index) }
        if let last = ready.last, last.revents != 0 { accept() }
    }

    mutating func close() {
        cutAll()
        listener.close()
    }

    private mutating func accept() {
        while let client = listener.accept() {
            counters.accepted += 1
            guard !refusesConnections, let target = try? Socket.connect(port: targetPort) else {
                counters.refused += 1
                client.reset()
                continue
            }
            var pair = Pair(number: counters.accepted, client: client, target: target, faults: faults)
            if faults.duplicatesRequests { pair.shadow = try? Socket.connect(port: targetPort) }
            pairs.append(pair)
        }
    }

    /// Moves one pair's bytes; false when it is over.
    private mutating func advance(_ index: Int, _ ready: [pollfd], now: ContinuousClock.Instant) -> Bool {
        let events =
            3 * index + 2 < ready.count ? ready[(3 * index)...(3 * index + 2)].map { Int32($0.revents) } : [0, 0, 0]
        func may(_ position: Int, _ what: Int32) -> Bool {
            events[position] & (what | Int32(POLLHUP) | Int32(POLLERR)) != 0
        }
        if pairs[index].faults.stalls { return true }
        if may(0, Int32(POLLIN)), !receiveFromClient(index) { return false }
        if may(2, Int32(POLLIN)) { drainShadow(index) }
        sendUpward(index)
        if may(1, Int32(POLLIN)), !pairs[index].targetHasClosed, !receiveFromTarget(index, now: now) { return false }
        return sendDownward(index, now: now)
    }

    private mutating func receiveFromClient(_ index: Int) -> Bool {
        var bytes: [UInt8] = []
        switch pairs[index].client.read(onto: &bytes) {
        case .bytes(let count):
            counters.bytesUp += count
            pairs[index].upward += bytes
            if pairs[index].shadow != nil { pairs[index].shadowUpward += bytes }
            return true
        case .wouldWait: return true
        case .gone:
            // A client that leaves takes its target connection with it, as a proxy would.
            pairs[index].client.close()
            pairs[index].target?.close()
            pairs[index].shadow?.close()
            return false
        }
    }

    private mutating func drainShadow(_ index: Int) {
        var thrownAway: [UInt8] = []
        if pairs[index].shadow?.read(onto: &thrownAway) == .gone {
            pairs[index].shadow?.close()
            pairs[index].shadow = nil
            pairs[index].shadowUpward = []
        }
    }

    private mutating func sendUpward(_ index: Int) {
        if let target = pairs[index].target, case .bytes(let count) = target.write(pairs[index].upward[...]) {
            pairs[index].upward.removeFirst(count)
        }
        if let shadow = pairs[index].shadow, case .bytes(let count) = shadow.write(pairs[index].shadowUpward[...]) {
            pairs[index].shadowUpward.removeFirst(count)
        }
    }

    private mutating func receiveFromTarget(_ index: Int, now: ContinuousClock.Instant) -> Bool {
        var bytes: [UInt8] = []
        switch pairs[index].target?.read(onto: &bytes) ?? .gone {
        case .bytes(let count):
            counters.bytesDown += count
            if repliesToKill > 0 || pairs[index].isDropping {
                // The request was answered, and nobody will know.
                if !pairs[index].isDropping { repliesToKill -= 1 }
                counters.killed += 1
                Self.cut(pairs[index])
                return false
            }
            pairs[index].received += count
            if let limit = pairs[index].faults.cutsAfter {
                let room = max(0, limit - (pairs[index].received - count))
                bytes = Array(bytes.prefix(room))
                if pairs[index].received >= limit { pairs[index].isDropping = true }
            }
            enqueue(bytes, index, now: now)
        case .wouldWait: break
        case .gone:
            pairs[index].target?.close()
            pairs[index].target = nil
            pairs[index].targetHasClosed = true
        }
        return true
    }

    /// Lets bytes go down when their time comes: a slow line passes on small pieces, one after the other.
    private mutating func enqueue(_ bytes: [UInt8], _ index: Int, now: ContinuousClock.Instant) {
        guard !bytes.isEmpty else { return }
        var due = now + pairs[index].faults.delay
        guard let rate = pairs[index].faults.bytesPerSecond else { return pairs[index].downward.append((due, bytes)) }
        due = max(due, pairs[index].lineIsFree)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, rate / 20))
            rest = rest.dropFirst(piece.count)
            due += .seconds(1) * piece.count / rate
            pairs[index].downward.append((due, Array(piece)))
        }
        pairs[index].lineIsFree = due
    }

    private mutating func sendDownward(_ index: Int, now: ContinuousClock.Instant) -> Bool {
        while let next = pairs[index].downward.first, next.due <= now {
            switch pairs[index].client.write(next.bytes[...]) {
            case .bytes(let count):
                pairs[index].forwarded += count
                counters.bytesForwarded += count
                if count < next.bytes.count {
                    pairs[index].downward[0].bytes.removeFirst(count)
                    return true
                }
                pairs[index].downward.removeFirst()
            case .wouldWait: return true
            case .gone:
                Self.cut(pairs[index])
                return false
            }
        }
        guard pairs[index].downward.isEmpty else { return true }
        if pairs[index].isDropping {
            counters.cut += 1
            Self.cut(pairs[index])
            return false
        }
        if pairs[index].targetHasClosed {
            pairs[index].client.closeWriting()
            pairs[index].client.close()
            pairs[index].shadow?.close()
            return false
        }
        return true
    }

    private static func cut(_ pair: Pair) {
        pair.client.reset()
        pair.target?.reset()
        pair.shadow?.close()
    }
}
