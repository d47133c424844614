import RejoinCore
import Synchronization

/// Gathers what is told between two frames, away from the main thread, and hands it over once a frame.
///
/// A thousand pieces of an answer cost the main thread one visit.
final class FrameLoop: Sendable {
    private let batch = Mutex(FrameBatch<ClientUpdate>())
    /// Called when a frame is to be asked for.
    private let first = WakeUp()

    /// Hands updates over, frame by frame, until they end or the task is cancelled.
    static func run(
        _ updates: AsyncStream<ClientUpdate>, ticker: any FrameTicker,
        show: @escaping @Sendable ([ClientUpdate]) async -> Void
    ) async {
        let loop = FrameLoop()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await update in updates { loop.note(update) } }
            group.addTask { try? await loop.handOver(at: ticker, show) }
            await group.next()
            group.cancelAll()
        }
    }

    private func note(_ update: ClientUpdate) {
        if batch.withLock({ $0.note(update) }) { first.call() }
    }

    private func handOver(
        at ticker: any FrameTicker, _ show: @Sendable ([ClientUpdate]) async -> Void
    ) async throws {
        while true {
            let seen = first.count
            if batch.withLock({ $0.isEmpty }) {
                try await first.wait(beyond: seen, clock: ContinuousClock())
                continue
            }
            try await ticker.nextFrame()
            await show(batch.withLock { $0.take() })
        }
    }
}
