/// A model server that says exactly what a test wants it to say, over real sockets.
///
/// It answers chat completions with the script that a test queued, else with the one under the request's model name,
/// else with what that name asks for (``Script/builtInNames``). It keeps what it was asked and whether the client
/// stayed to the end. `GET /stats`, `POST /reset`, `POST /release?name=…` and `GET /v1/models` do the same from
/// outside the process.
package final class ScriptedUpstream: Sendable {
    /// On 127.0.0.1.
    package let port: Int
    private let loop: PollLoop<UpstreamState>

    /// Starts on a port; 0 picks a free one.
    ///
    /// - Throws: ``SocketFailure`` if the port cannot be had.
    package init(port: Int = 0, scripts: [String: Script] = [:]) throws {
        let listener = try Socket.listen(port: port)
        self.port = listener.port
        var state = UpstreamState(listener)
        state.scripts = scripts
        loop = try PollLoop(state)
    }

    deinit { loop.stop() }

    /// What a provider takes as its base URL.
    package var baseURL: String { "http://127.0.0.1:\(port)/v1" }

    /// Plays a script for every request that names this model.
    package func play(_ script: Script, for model: String) { loop.withState { $0.scripts[model] = script } }

    /// Plays scripts for the next requests, one each, whatever they ask for.
    package func playNext(_ scripts: Script...) { loop.withState { $0.queue += scripts } }

    /// Lets one `hold` step of this name go on, now or when it comes.
    package func release(_ name: String = "hold") { loop.withState { $0.releases[name, default: 0] += 1 } }

    /// Forgets requests, releases and queued scripts.
    package func reset() { loop.withState { $0.reset() } }

    /// Closes everything.
    package func stop() { loop.stop() }

    /// The requests since the last reset.
    package var requests: [UpstreamRequest] { loop.look { $0.requests } }
    /// How many requests came.
    package var started: Int { loop.look { $0.requests.count } }
    /// How many replies were played to their end.
    package var finished: Int { loop.look { $0.finished } }
    /// How many clients left before that.
    package var aborted: Int { loop.look { $0.aborted } }
    /// How many connections were made.
    package var connections: Int { loop.look { $0.accepted } }

    /// Waits until something holds of this upstream, for a bounded time.
    ///
    /// - Returns: whether it came to hold.
    package func wait(
        atMost limit: Duration = .seconds(10), until holds: @Sendable (ScriptedUpstream) -> Bool
    ) async -> Bool {
        let end = ContinuousClock.now + limit
        while !holds(self) {
            if ContinuousClock.now >= end || Task.isCancelled { return holds(self) }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }
}
