import RejoinAssist

// Rewrites a note as an app would: the route is found at the tap, what comes back is reviewed, and only what was
// accepted is saved. A scripted model stands in for the device's, so that this runs anywhere.
let model = ScriptedEngine(availability: .ready(CapabilityRecord(capabilities: [.text, .structuredOutput]))) { _ in
    [.say(#"{"text":"Good morning, everyone. "#), .say(#"I will be late today."}"#)]
}
let local = LocalService(engine: model)
let assistant = Assistant(
    runners: .init(local: local), environment: { RouteEnvironment(local: { await local.availability }) },
    surroundings: .system)

let note = Rewrite.Input(text: "morning all, gonna be late today", tone: .formal)
print(await assistant.resolve(Rewrite.self, for: note).explain().sentence)

do throws(NoProposal) {
    let proposal = try await assistant.propose(Rewrite.self, for: note)
    let review = Review(proposal)
    for change in review.changes { print("- \(change.before)\n+ \(change.after)") }
    let permit = try? review.accept()
    if let permit { _ = try? await permit.apply(SaveNote(), ledger: MemoryCommitLedger()) }
} catch {
    print(error.resolution?.explain().sentence ?? "It did not work out.")
}

/// Saves what was accepted; the ledger sees to it that this happens once.
struct SaveNote: CommitEffect {
    func apply(_ accepted: Accepted<Rewrite>, key: IdempotencyKey) async throws -> Int {
        print("saved: \(accepted.output.value)")
        return accepted.changes.count
    }
}
