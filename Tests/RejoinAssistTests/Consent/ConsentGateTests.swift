import RejoinCore
import Synchronization
import Testing

@testable import RejoinAssist

@Suite struct ConsentGateTests {
    private let request = ConsentRequest(recipient: .firstParty("Server"), data: .minimised, disclosureVersion: 1)

    @Test("R26 what is queued asks at the moment of sending: consent taken back meanwhile, it is not sent")
    func queued() async throws {
        let ledger = MemoryConsentLedger([ConsentGrant(request, at: Timestamp(milliseconds: 0))])
        let gate = ConsentGate(ledger)
        let sent = Mutex(0)
        for number in 0..<5 {
            if number == 2 { await ledger.revoke(request.recipient) }
            do {
                try await gate.pass(request) { sent.withLock { $0 += 1 } }
                #expect(number < 2)
            } catch {
                #expect(error as? ConsentWithdrawn == ConsentWithdrawn(request: request))
                #expect(number >= 2)
            }
        }
        #expect(sent.withLock { $0 } == 2)
        #expect(ledger.listenerCount == 0)
    }

    @Test("R26 consent taken back while something is being sent cancels the sending", .timeLimit(.minutes(1)))
    func underway() async throws {
        let ledger = MemoryConsentLedger([ConsentGrant(request, at: Timestamp(milliseconds: 0))])
        let other = ConsentRequest(recipient: .thirdParty("Other"), data: .none, disclosureVersion: 1)
        let (started, startedNow) = AsyncStream.makeStream(of: Void.self)
        let wasCancelled = Mutex(false)
        let sending = Task { [request] in
            try await ConsentGate(ledger).pass(request) {
                startedNow.yield()
                // A send that never ends by itself.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                wasCancelled.withLock { $0 = Task.isCancelled }
                try Task.checkCancellation()
            }
        }
        for await _ in started { break }
        // Another change, which leaves this consent as it is, does not disturb it.
        await ledger.record(ConsentGrant(other, at: Timestamp(milliseconds: 1)))
        await ledger.revoke(request.recipient)
        await #expect(throws: ConsentWithdrawn.self) { try await sending.value }
        #expect(wasCancelled.withLock { $0 })
        #expect(ledger.listenerCount == 0)
    }

    @Test("R26 what is sent gives back its reply or its own error, and nothing listens any more")
    func replies() async throws {
        struct Broken: Error {}
        let ledger = MemoryConsentLedger([ConsentGrant(request, at: Timestamp(milliseconds: 0))])
        let gate = ConsentGate(ledger)
        #expect(try await gate.pass(request) { 42 } == 42)
        #expect(try await gate.pass(request) { Int?.none } == nil)
        await #expect(throws: Broken.self) { try await gate.pass(request) { throw Broken() } }
        #expect(ledger.listenerCount == 0)
    }

    @Test("R26 without consent the gate lets nothing through, and an unreadable record is no consent")
    func closed() async {
        for ledger in [
            MemoryConsentLedger() as any ConsentLedger, FixedLedger(consents: [request], isReadable: false),
            MemoryConsentLedger([
                ConsentGrant(
                    ConsentRequest(recipient: request.recipient, data: request.data, disclosureVersion: 2),
                    at: Timestamp(milliseconds: 0))
            ]),
        ] {
            await #expect(throws: ConsentWithdrawn.self) {
                try await ConsentGate(ledger).pass(request) { Issue.record("was sent") }
            }
        }
    }
}
