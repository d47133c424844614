#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Dispatch
import Synchronization

/// The terminal, or the pipes, that the process was started with.
package final class POSIXTerminal: Terminal {
    package let isInputInteractive: Bool
    package let isInputPiped: Bool
    package let isOutputInteractive: Bool
    package let isErrorInteractive: Bool
    private let isScreen: Bool

    private let output = DescriptorWriter(STDOUT_FILENO)
    private let error = DescriptorWriter(STDERR_FILENO)
    private let lines = LineQueue()
    private let reader = Mutex(false)
    private let listeners: Mutex<Listeners>
    // SAFETY: made and resumed in `init`, never touched again; it is held so that it stays alive.
    nonisolated(unsafe) private let interruptSource: any DispatchSourceSignal

    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    /// Takes over Ctrl-C and broken pipes; one per process.
    ///
    /// - Parameter environment: `TERM=dumb` says that the screen cannot be drawn over.
    package init(environment: [String: String]) {
        isInputInteractive = isatty(STDIN_FILENO) == 1
        isOutputInteractive = isatty(STDOUT_FILENO) == 1
        isErrorInteractive = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
        isScreen = isOutputInteractive && !["", "dumb"].contains(environment["TERM", default: ""])
        var status = stat()
        let kind = fstat(STDIN_FILENO, &status) == 0 ? status.st_mode & S_IFMT : 0
        // A device such as /dev/null hands in nothing; a closed input neither.
        isInputPiped = kind == S_IFIFO || kind == S_IFREG || kind == S_IFSOCK
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT, SIG_IGN)
        interruptSource = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        listeners = Mutex(Listeners())
        interruptSource.setEventHandler { [weak self] in self?.interrupt() }
        interruptSource.resume()
    }

    package var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    package var screenSize: Size? {
        var size = winsize()
        guard isScreen, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 8, size.ws_row > 2 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    package func write(_ text: String) async throws { try await output.write(text) }

    package func writeError(_ text: String) async { try? await error.write(text) }

    package func readLine() async -> String? {
        startReading()
        return await lines.next()
    }

    package func interrupts() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    private func interrupt() {
        let listening = listeners.withLock { Array($0.continuations.values) }
        if listening.isEmpty { _exit(ExitCode.stopped) }
        for continuation in listening { continuation.yield() }
    }

    /// Starts the one thread that blocks on standard input, at the first wish for a line and not before.
    private func startReading() {
        let isFirst = reader.withLock { isReading in
            defer { isReading = true }
            return !isReading
        }
        guard isFirst else { return }
        let lines = lines
        DispatchQueue(label: "rejoin.read").async {
            var partial: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for byte in chunk[..<count] {
                    guard byte == UInt8(ascii: "\n") else {
                        partial.append(byte)
                        continue
                    }
                    lines.append(String(decoding: partial, as: UTF8.self))
                    partial.removeAll(keepingCapacity: true)
                }
            }
            if !partial.isEmpty { lines.append(String(decoding: partial, as: UTF8.self)) }
            lines.finish()
        }
    }
}
