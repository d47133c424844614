import RejoinCore
import Synchronization

/// A small call of a model beside the answers: it waits for a quiet moment, never lasts long, and may fail.
struct SideCall: Sendable {
    let surroundings: Surroundings

    /// Waits until a model has nothing better to do; false if a minute was not enough, or the task was cancelled.
    func hasLeisure(_ isBusy: @Sendable () -> Bool) async -> Bool {
        for _ in 0..<60 {
            if !isBusy() { return true }
            do { try await surroundings.sleep(.seconds(1)) } catch { return false }
        }
        return false
    }

    /// All that a model says to a request; nil if it did not finish in time.
    func text(
        _ request: ModelRequest, of provider: any ModelProvider, within patience: Duration
    ) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let said = Mutex("")
                let end = await provider.generate(request) { piece in
                    if case .text(let text) = piece { said.withLock { $0 += text } }
                }
                guard case .finished = end else { return nil }
                return said.withLock { $0 }
            }
            group.addTask { [surroundings] in
                try? await surroundings.sleep(patience)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}
