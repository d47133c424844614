import Foundation
import RejoinAssist
import RejoinCore
import Testing

@Suite @MainActor final class CommitTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "ledger").path() }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func review() throws -> Review<Classify> {
        Review(try Samples.proposal(Classify.self, BatchDraft([("a", .named("g1"))]), Samples.classify))
    }

    /// A ledger that dies before it records, as often as it is told.
    private actor DyingLedger: CommitLedger {
        struct Death: Error {}
        let ledger: any CommitLedger
        init(_ ledger: any CommitLedger) { self.ledger = ledger }
        func begin(_ key: IdempotencyKey) async throws -> CommitEntry { try await ledger.begin(key) }
        func record(_ receipt: [UInt8], for key: IdempotencyKey) async throws { throw Death() }
        func abandon(_ key: IdempotencyKey) async { await ledger.abandon(key) }
        func receipt(for key: IdempotencyKey) async throws -> [UInt8]? { try await ledger.receipt(for: key) }
    }

    @Test("R54 after a crash between effect and record the next process, with the same key, applies nothing twice")
    func crash() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let effect = RecordingEffect()
        let first = try review()
        let permit = try first.accept()
        let dying = DyingLedger(try FileCommitLedger(path: path))
        do {
            _ = try await permit.apply(effect, ledger: dying)
            Issue.record("the ledger was to die")
        } catch { #expect(error == .ledgerFailed(ErrorTypeName(of: DyingLedger.Death()))) }
        #expect(effect.calls == 1)

        // Another process: another ledger on the same file, another review of the same proposal.
        let second = try review().accept()
        let receipt = try await second.apply(effect, ledger: FileCommitLedger(path: path))
        #expect(receipt == ["a=Food"])
        #expect(effect.calls == 1)
        let third = try review().accept()
        #expect(try await third.apply(effect, ledger: FileCommitLedger(path: path)) == receipt)
        #expect(effect.calls == 1)
    }

    @Test("R55 a retry after a failure leaves one row and gives one receipt twice")
    func retry() async throws {
        let effect = RecordingEffect(failures: 1)
        let ledger = MemoryCommitLedger()
        let review = try review()
        let permit = try review.accept()
        let key = permit.key
        do {
            _ = try await permit.apply(effect, ledger: ledger)
            Issue.record("the first attempt was to fail")
        } catch {
            #expect(error == .effectFailed(ErrorTypeName(of: RecordingEffect.Broken())))
            review.failed(with: error)
        }
        #expect(!review.isOpen)
        review.selection = []
        let again = try review.accept()
        #expect(again.key == key)
        let receipt = try await again.apply(effect, ledger: ledger)
        let other = try self.review().accept()
        #expect(try await other.apply(effect, ledger: ledger) == receipt)
        #expect(effect.calls == 1 && ledger.count == 1)
    }

    @Test("R55 of many who apply the same key at once one does, and the others are told so or get its receipt")
    func concurrent() async throws {
        let effect = RecordingEffect()
        let ledger = MemoryCommitLedger()
        let proposals = try (0..<50).map { _ in try review() }
        await withTaskGroup(of: Void.self) { group in
            for review in proposals {
                group.addTask {
                    guard let permit = try? await review.accept() else { return }
                    do throws(CommitFailure) {
                        let receipt = try await permit.apply(effect, ledger: ledger)
                        #expect(receipt == ["a=Food"])
                    } catch { #expect(error == .underWay) }
                }
            }
        }
        #expect(effect.calls == 1 && ledger.count == 1)
    }

    @Test("R54 a ledger that ends anywhere in a line is read up to there, and goes on")
    func torn() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = IdempotencyKey(Samples.id)
        let other = IdempotencyKey(ProposalID(high: 5, low: 6))
        let ledger = try FileCommitLedger(path: path)
        #expect(try await ledger.begin(other) == .new)
        try await ledger.record(Array("7".utf8), for: other)
        let kept = try Data(contentsOf: URL(filePath: path)).count
        #expect(try await ledger.begin(key) == .new)
        #expect(try await ledger.begin(key) == .underWay)
        try await ledger.record(Array("[\"\\n\"]".utf8), for: key)
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in kept...whole.count {
            try whole.prefix(count).write(to: URL(filePath: path))
            let torn = try FileCommitLedger(path: path)
            #expect(try await torn.begin(other) == .recorded(Array("7".utf8)))
            let entry = try await torn.begin(key)
            if count == whole.count { #expect(entry == .recorded(Array("[\"\\n\"]".utf8))) }
            if entry == .new || entry == .unfinished {
                try await torn.record(Array("8".utf8), for: key)
                #expect(try await FileCommitLedger(path: path).receipt(for: key) != nil)
            }
        }
    }

    @Test("R54 two ledgers on one file see what the other wrote")
    func shared() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = IdempotencyKey(Samples.id)
        let left = try FileCommitLedger(path: path)
        let right = try FileCommitLedger(path: path)
        #expect(try await left.begin(key) == .new)
        #expect(try await right.begin(key) == .unfinished)
        try await left.record([0x31], for: key)
        #expect(try await right.receipt(for: key) == [0x31])
    }

    @Test func `a ledger that cannot be written applies nothing`() async throws {
        #expect(throws: FileCommitLedger.FileError.self) { try FileCommitLedger(path: "/dev/null/ledger") }
    }
}
