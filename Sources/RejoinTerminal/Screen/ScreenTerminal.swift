#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Dispatch
import Synchronization

/// The terminal that the process was started in, taken over whole.
package final class ScreenTerminal: Screen {
    package let events: AsyncStream<ScreenEvent>
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let output = DescriptorWriter(STDOUT_FILENO)
    private let suspension: Suspension
    // SAFETY: filled in `init`, never touched again; held so that they stay alive.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

    /// Takes over the screen and the keys.
    ///
    /// - Returns: nil where standard input and output are no terminal, or one that cannot be drawn on.
    package init?(environment: [String: String]) {
        (events, continuation) = AsyncStream<ScreenEvent>.makeStream()
        suspension = Suspension(continuation)
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let name = environment["TERM"], !name.isEmpty,
            name != "dumb", RawMode.begin()
        else { return nil }
        let bytes = Array(RawMode.enter.utf8)
        _ = Self.systemWrite(bytes)
        signal(SIGPIPE, SIG_IGN)
        let (continuation, suspension) = (continuation, suspension)
        sources = [
            Self.source(SIGWINCH) { continuation.yield(.resized) },
            Self.source(SIGTSTP) { suspension.stop(everybody: false) },
            Self.source(SIGCONT) { suspension.wasContinued() },
        ]
        for number in [SIGTERM, SIGHUP, SIGQUIT] {
            sources.append(Self.source(number) { continuation.yield(.ended) })
        }
        startReading()
    }

    package var size: Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    package func write(_ text: String) async throws {
        if suspension.isPaused { return }
        try await output.write(text)
    }

    package func suspend() { suspension.stop(everybody: true) }

    package func close() {
        RawMode.restore()
        continuation.finish()
    }

    private static func source(_ number: Int32, _ handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
        return source
    }

    private static func systemWrite(_ bytes: [UInt8]) -> Int {
        #if canImport(Glibc)
        Glibc.write(STDOUT_FILENO, bytes, bytes.count)
        #else
        Darwin.write(STDOUT_FILENO, bytes, bytes.count)
        #endif
    }

    /// One thread blocks on the keys.
    private func startReading() {
        let continuation = continuation
        DispatchQueue(label: "rejoin.keys").async {
            var chunk = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    // Somebody made the shared terminal non-blocking; wait as a blocking one would.
                    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                    _ = poll(&entry, 1, 1000)
                    continue
                }
                guard count > 0 else { break }
                continuation.yield(.bytes(Array(chunk[..<count])))
            }
            continuation.yield(.ended)
        }
    }
}
