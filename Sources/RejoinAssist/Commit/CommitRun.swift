#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One attempt at applying what was accepted: ledger, effect, ledger.
struct CommitRun<E: CommitEffect> {
    let key: IdempotencyKey
    let accepted: Accepted<E.Operation>
    let effect: E
    let ledger: any CommitLedger

    func run() async throws(CommitFailure) -> E.Receipt {
        let entry: CommitEntry
        do { entry = try await ledger.begin(key) } catch { throw .ledgerFailed(ErrorTypeName(of: error)) }
        switch entry {
        case .underWay: throw .underWay
        case .recorded(let receipt):
            guard let receipt = try? JSONDecoder().decode(E.Receipt.self, from: Data(receipt)) else {
                throw .receiptUnreadable
            }
            return receipt
        case .new: return try await record(try await apply())
        case .unfinished:
            if let receipt = try await lookUp() { return try await record(receipt) }
            return try await record(try await apply())
        }
    }

    private func lookUp() async throws(CommitFailure) -> E.Receipt? {
        do { return try await effect.applied(under: key) } catch { throw await abandoned(error) }
    }

    private func apply() async throws(CommitFailure) -> E.Receipt {
        do {
            // Before the effect is the last moment at which stopping costs nothing.
            try Task.checkCancellation()
            return try await effect.apply(accepted, key: key)
        } catch { throw await abandoned(error) }
    }

    private func abandoned(_ error: any Error) async -> CommitFailure {
        await ledger.abandon(key)
        return switch error {
        case let failure as CommitFailure: failure
        case is CancellationError: .cancelled
        default: .effectFailed(ErrorTypeName(of: error))
        }
    }

    private func record(_ receipt: E.Receipt) async throws(CommitFailure) -> E.Receipt {
        do {
            try await ledger.record(Array(JSONEncoder().encode(receipt)), for: key)
            return receipt
        } catch {
            await ledger.abandon(key)
            throw .ledgerFailed(ErrorTypeName(of: error))
        }
    }
}
