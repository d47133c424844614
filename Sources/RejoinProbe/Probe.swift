/// One thing that a person does, what was decided to come of it, and how to find out.
package struct Probe: Sendable {
    /// As the worksheet names it: `P50.1`.
    package let number: String
    package let title: String
    /// What is to come of it, in words.
    package let decided: String
    /// Does what the probe says, and writes down what a person would see.
    let run: @Sendable (Stage, Notebook) async throws -> Void

    init(
        _ number: String, _ title: String, decided: String,
        run: @escaping @Sendable (Stage, Notebook) async throws -> Void
    ) {
        self.number = number
        self.title = title
        self.decided = decided
        self.run = run
    }

    /// All of them, in the order of the worksheet.
    package static let all: [Probe] = [
        .stop, .leave, .networkDrop, .airplane, .secondDevice, .regenerate, .attachments, .limits, .responseShape,
        .twoDevices, .cachedReads, .signOut,
    ]

    /// Carries the probe out and says what came of it.
    ///
    /// The stage is cleared afterwards: the devices of a probe are gone when the next begins.
    ///
    /// - Parameter limit: how long it may take before it counts as broken off.
    package func carryOut(on stage: Stage, within limit: Duration = .seconds(90)) async -> Finding {
        let book = Notebook()
        let start = ContinuousClock.now
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await run(stage, book) } catch { book.breakOff("\(error)") }
                return true
            }
            group.addTask {
                try? await ContinuousClock().sleep(for: limit)
                return false
            }
            if await group.next() == false { book.breakOff("it did not come to an end within \(limit)") }
            group.cancelAll()
        }
        await stage.clear()
        return book.finding(of: self, took: start.duration(to: .now))
    }
}
