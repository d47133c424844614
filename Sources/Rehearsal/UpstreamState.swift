import RejoinCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Everything a ``ScriptedUpstream`` knows: its connections, its scripts and what it was asked.
struct UpstreamState: PollDriven, Sendable {
    private let listener: Socket
    private let epoch: ContinuousClock.Instant
    private var connections: [UpstreamConnection] = []
    /// Bodies of older requests are let go of, so that a long load does not fill the memory.
    private static let keptBodies = 4096

    var scripts: [String: Script] = [:]
    var queue: [Script] = []
    var releases: [String: Int] = [:]
    private(set) var requests: [UpstreamRequest] = []
    private(set) var finished = 0
    private(set) var aborted = 0
    private(set) var accepted = 0
    private var attempts: [String: Int] = [:]

    init(_ listener: Socket) {
        self.listener = listener
        epoch = .now
    }

    /// Forgets requests and releases; connections and scripts stay.
    mutating func reset() {
        requests = []
        releases = [:]
        attempts = [:]
        queue = []
        (finished, aborted, accepted) = (0, 0, 0)
        for index in connections.indices { connections[index].play?.request = 0 }
    }

    // MARK: Turning

    func interests(into list: inout [pollfd]) {
        for connection in connections {
            let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
            list.append(pollfd(fd: connection.socket.descriptor, events: Int16(events), revents: 0))
        }
        list.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
    }

    var nextDeadline: ContinuousClock.Instant? {
        // A release may have come in over another connection, after the one that waits for it had its turn.
        if !releases.isEmpty, connections.contains(where: { (releases[$0.play?.holds ?? ""] ?? 0) > 0 }) { return .now }
        return connections.lazy.compactMap { $0.play?.resumesAt }.min()
    }

    mutating func turn(_ ready: [pollfd], now: ContinuousClock.Instant) {
        var gone: [Int] = []
        // The list was made of these connections in this order; only the listener is added at its end.
        for index in connections.indices {
            let hasInput = index < ready.count && ready[index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
            if !(hasInput ? receive(index, now: now) : true) || !advance(index, now: now) { gone.append(index) }
        }
        for index in gone.reversed() { drop(index, now: now) }
        if let last = ready.last, last.revents != 0 {
            while let socket = listener.accept() {
                accepted += 1
                connections.append(UpstreamConnection(socket))
            }
        }
    }

    mutating func close() {
        for connection in connections { connection.socket.close() }
        connections = []
        listener.close()
    }

    private mutating func receive(_ index: Int, now: ContinuousClock.Instant) -> Bool {
        while true {
            switch connections[index].socket.read(onto: &connections[index].input) {
            case .bytes: continue
            case .wouldWait: return true
            case .gone: return false
            }
        }
    }

    private mutating func advance(_ index: Int, now: ContinuousClock.Instant) -> Bool {
        while true {
            if connections[index].play == nil, !connections[index].input.isEmpty {
                switch UpstreamRequest.take(from: &connections[index].input, now: now) {
                case .success(let request): begin(request, on: index)
                case .failure: return false
                case nil: break
                }
            }
            switch connections[index].perform(now: now, releases: &releases) {
            case .lives: return true
            case .gone: return false
            case .replied(let request):
                if request > 0 { finished += 1 }
                if let place = place(of: request) { requests[place].finishedAt = now }
                if connections[index].isCut { return false }
            }
        }
    }

    private mutating func drop(_ index: Int, now: ContinuousClock.Instant) {
        let connection = connections[index]
        if let play = connection.play, play.request > 0 {
            aborted += 1
            if let place = place(of: play.request) { requests[place].abortedAt = now }
        }
        if connection.isCut { connection.socket.reset() } else { connection.socket.close() }
        connections.swapAt(index, connections.count - 1)
        connections.removeLast()
    }

    private func place(of request: Int) -> Int? {
        requests.indices.contains(request - 1) ? request - 1 : nil
    }

    // MARK: Answering

    private mutating func begin(_ request: UpstreamRequest, on index: Int) {
        let path = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]
        switch (request.method, path) {
        case ("GET", "/stats"): connections[index].play = control(Script(status: 200, json: statistics(request.target)))
        case ("POST", "/reset"):
            reset()
            connections[index].play = control(Script(status: 200, json: "{}"))
        case ("POST", "/release"):
            let name = request.target.split(separator: "=").dropFirst().first.map(String.init) ?? "hold"
            releases[name, default: 0] += 1
            connections[index].play = control(Script(status: 200, json: "{}"))
        case ("GET", _) where path.hasSuffix("/models"):
            connections[index].play = control(Script(status: 200, json: models))
        default:
            var request = request
            request.number = requests.count + 1
            let script = script(for: request)
            requests.append(request)
            if requests.count > Self.keptBodies { requests[requests.count - Self.keptBodies - 1].body = [] }
            connections[index].play = .init(request: request.number, script: script)
        }
    }

    /// Questions about the tool itself are not counted.
    private func control(_ script: Script) -> UpstreamConnection.Play {
        return .init(request: 0, script: script)
    }

    private mutating func script(for request: UpstreamRequest) -> Script {
        if !queue.isEmpty { return queue.removeFirst() }
        let body = request.json?.object
        let name = body?["model"]?.string ?? ""
        attempts[name, default: 0] += 1
        if let script = scripts[name] { return script }
        return Script.builtIn(name, messages: body?["messages"], attempt: attempts[name] ?? 1)
    }

    private var models: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("object", "list")
        json.name("data")
        json.beginArray()
        for name in (scripts.keys.sorted() + ["paced-200-20", "echo-path", "think-5", "scripted"]) {
            json.beginObject()
            json.member("id", name)
            json.member("object", "model")
            json.name("created")
            json.integer(1)
            json.member("owned_by", "scripted")
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The counters, and with them each request unless the target ends in `?brief`.
    ///
    /// Times are milliseconds since the tool started.
    private func statistics(_ target: String) -> String {
        var json = JSONWriter()
        func write(_ name: String, _ value: Int) {
            json.name(name)
            json.integer(value)
        }
        func write(_ name: String, _ time: ContinuousClock.Instant?) {
            guard let time else { return }
            write(name, Int(epoch.duration(to: time) / Duration.milliseconds(1)))
        }
        json.beginObject()
        write("now_ms", .now)
        write("connections", accepted)
        write("started", requests.count)
        write("finished", finished)
        write("aborted", aborted)
        write("open", connections.count { $0.play != nil })
        if !target.hasSuffix("?brief") {
            json.name("requests")
            json.beginArray()
            for request in requests {
                json.beginObject()
                write("number", request.number)
                json.member("method", request.method)
                json.member("target", request.target)
                json.name("fields")
                json.beginArray()
                for field in request.fields {
                    json.beginArray()
                    json.string(field.name)
                    json.string(field.name == "authorization" ? "…" : field.value)
                    json.endArray()
                }
                json.endArray()
                if let body = request.json {
                    json.name("body")
                    json.value(body)
                }
                write("started_ms", request.startedAt)
                write("finished_ms", request.finishedAt)
                write("aborted_ms", request.abortedAt)
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
