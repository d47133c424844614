import Dispatch
import Foundation
import Synchronization

/// Waits for the signals that ask a program to end.
enum Signals {
    /// Yields at the first SIGINT or SIGTERM from here on, also before anybody waits; a second one ends the process at
    /// once.
    static func stops() -> AsyncStream<Void> {
        let state = Mutex(0)
        let (signals, noted) = AsyncStream<Void>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let count = state.withLock { count in
                    count += 1
                    return count
                }
                if count > 1 { _exit(128 + number) }
                noted.yield()
            }
            source.resume()
            return source
        }
        // Kept until the process ends, so that the second signal is seen.
        kept.withLock { $0 += sources.map(Source.init) }
        return signals
    }

    /// Yields each time that the process gets SIGHUP, which then no longer ends it.
    static func hangUps() -> AsyncStream<Void> {
        let (signals, noted) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler { noted.yield() }
        source.resume()
        kept.withLock { $0.append(Source(source: source)) }
        return signals
    }

    private static let kept = Mutex<[Source]>([])

    // SAFETY: a dispatch source may be released from any thread, and this is all that is done with it.
    private struct Source: @unchecked Sendable { let source: any DispatchSourceSignal }
}
