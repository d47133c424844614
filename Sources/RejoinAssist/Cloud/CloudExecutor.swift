public import RejoinCore
internal import Synchronization

/// Runs operations at our server: one narrow request, sent again only where that is right and safe.
///
/// It sends what the operation's `request(for:)` allows and nothing else, each time under the attempt's key, so that the
/// server runs it once however often it arrives.
public final class CloudExecutor: Sendable {
    /// Time and chance, as the executor is given them.
    public struct Surroundings: Sendable {
        /// The moment of the wall clock.
        public var now: @Sendable () -> Timestamp
        /// Waits, or throws `CancellationError`.
        public var sleep: @Sendable (Duration) async throws -> Void
        /// 64 bits that nobody can guess.
        public var random: @Sendable () -> UInt64

        /// Hands over time and chance.
        public init(
            now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void,
            random: @escaping @Sendable () -> UInt64
        ) {
            self.now = now
            self.sleep = sleep
            self.random = random
        }
    }

    private let configuration: CloudConfiguration
    private let transport: any CloudTransport
    private let attempts: any AttemptStore
    private let consent: ConsentGate
    private let attestation: (any Attestation)?
    private let credentials: CredentialGate
    private let surroundings: Surroundings

    /// Puts an executor together.
    ///
    /// - Parameters:
    ///   - consent: is asked before each time that anything is sent, resends included.
    ///   - attestation: proves that the app sends; nil where the app has none.
    public init(
        _ configuration: CloudConfiguration, transport: any CloudTransport, consent: ConsentGate,
        attempts: any AttemptStore,
        attestation: (any Attestation)? = nil, surroundings: Surroundings
    ) {
        self.configuration = configuration
        self.transport = transport
        self.consent = consent
        self.attempts = attempts
        self.attestation = attestation
        self.surroundings = surroundings
        credentials = CredentialGate(configuration.credentials)
    }

    /// Runs an operation and reads its draft.
    ///
    /// - Throws: as ``run(_:for:attempt:)``, and `decoding` for an output that cannot be read.
    public func draft<Operation: AssistantOperation>(
        _ operation: Operation.Type, for input: Operation.Input, attempt: AttemptID
    ) async throws(AssistantFailure) -> (draft: Operation.Draft, answer: CloudAnswer) {
        let answer = try await run(operation, for: input, attempt: attempt)
        do throws(ValidationFailure) {
            return (try Operation.draft(from: answer.text, for: input), answer)
        } catch {
            // The server would give the same output for the same key.
            try? await attempts.forget(attempt)
            throw error == .refusedInWords ? .refused : .decoding
        }
    }

    /// Runs an operation on a long list, chunk after chunk, each an attempt of its own, and puts the drafts together.
    ///
    /// - Parameter progress: told after each chunk how many are over; never backwards.
    /// - Throws: the first chunk's failure where none came back; `cancelled` for a cancelled batch.
    public func draft<Operation: BatchOperation>(
        batch operation: Operation.Type, for input: Operation.Input, attempt: AttemptID,
        progress: @Sendable (BatchProgress) -> Void = { _ in }
    ) async throws(AssistantFailure) -> Operation.Draft {
        try await Operation.draft(for: input, progress: progress) { (index, chunk) throws(AssistantFailure) in
            try await draft(operation, for: chunk, attempt: attempt.part(index)).draft
        }
    }

    /// Runs an operation and gives back the model's whole output.
    ///
    /// Called again with the same attempt, after a loss or a restart, it sends the same key and gets the same answer. A
    /// failure that only a new attempt can mend makes the next call one. Call ``settle(_:)`` once the outcome is kept.
    ///
    /// - Throws: what went wrong; nothing of a reply's text is in it.
    public func run<Operation: AssistantOperation>(
        _ operation: Operation.Type, for input: Operation.Input, attempt: AttemptID
    ) async throws(AssistantFailure) -> CloudAnswer {
        var json = JSONWriter()
        json.value(Operation.request(for: input))
        let (assertion, outcome) = try await attest(json.bytes)
        let key = try await key(of: attempt)
        let call = Call(
            url: "\(configuration.server)/v1/assist/\(Operation.profile.id.name)/\(key.text)", body: json.bytes,
            assertion: assertion,
            consent: ConsentRequest(
                recipient: configuration.recipient, data: Operation.profile.dataClass,
                disclosureVersion: configuration.disclosureVersion))
        do throws(Ending) {
            let (text, usage, sends) = try await send(call)
            return CloudAnswer(text: text, usage: usage, attestation: outcome, sends: sends)
        } catch {
            if error.isSettled { try? await attempts.forget(attempt) }
            throw error.failure
        }
    }

    /// Forgets an attempt whose outcome the app has kept, or that nobody wants any more; the next is a new one.
    ///
    /// - Parameter chunks: how many parts a batch had.
    public func settle(_ attempt: AttemptID, chunks: Int = 0) async {
        try? await attempts.forget(attempt)
        for index in 0..<max(0, chunks) { try? await attempts.forget(attempt.part(index)) }
    }

    // MARK: One attempt

    private struct Call {
        let url: String
        let body: [UInt8]
        let assertion: String?
        let consent: ConsentRequest
    }

    /// How an attempt failed.
    private struct Ending: Error {
        let failure: AssistantFailure
        /// The key is used up: a further try needs a new one.
        let isSettled: Bool
    }

    private func key(of attempt: AttemptID) async throws(AssistantFailure) -> IdempotencyKey {
        do {
            if let key = try await attempts.key(of: attempt) { return key }
            let id = ProposalID(at: surroundings.now(), random: (surroundings.random(), surroundings.random()))
            let key = IdempotencyKey(id)
            // Before the first byte leaves: a restart in between must find it.
            try await attempts.keep(key, of: attempt)
            return key
        } catch {
            throw .unknown(type: ErrorTypeName(of: error))
        }
    }

    private func attest(_ body: [UInt8]) async throws(AssistantFailure) -> (String?, AttestationOutcome) {
        guard let attestation else {
            if configuration.attestationPolicy == .refuse { throw .capabilityMissing }
            return (nil, .notConfigured)
        }
        if attestation.isSupported, let assertion = await attestation.assertion(over: body) {
            return (assertion, .attested)
        }
        if configuration.attestationPolicy == .refuse { throw .capabilityMissing }
        return (nil, attestation.isSupported ? .failed : .unsupported)
    }

    private func send(_ call: Call) async throws(Ending) -> (String, CloudUsage?, Int) {
        var schedule = RetrySchedule(configuration.retries)
        guard var credential = await credentials.credential() else {
            throw Ending(failure: .signedOut, isSettled: false)
        }
        var hasRefreshed = false
        var last = Ending(failure: .serviceDown, isSettled: false)
        while schedule.countSend() {
            let verdict: CloudFailure.Verdict
            var asked: Int?
            switch await exchange(call, credential) {
            case .failure(let failure): verdict = failure
            case .reply(let reply):
                if (200...299).contains(reply.status) {
                    let (text, usage) = try Self.read(reply)
                    return (text, usage, schedule.sends)
                }
                asked = RetrySchedule.seconds(reply.retryAfter)
                verdict = judge(reply, asked: asked)
            }
            last = Ending(failure: verdict.failure, isSettled: false)
            if verdict.failure == .signedOut {
                guard !hasRefreshed else { throw last }
                let next = await credentials.replacement(of: credential)
                guard let replacement = next.credential else { throw last }
                hasRefreshed = next.isNew
                credential = replacement
                continue
            }
            guard verdict.mayRepeat else {
                let isSent = ![.offline, .cancelled, .consentMissing].contains(verdict.failure)
                throw Ending(failure: verdict.failure, isSettled: isSent)
            }
            let chance = Double(surroundings.random() >> 11) / Double(1 << 53)
            guard let wait = schedule.wait(asked: asked.map { .seconds($0) }, chance: chance) else { throw last }
            do { try await surroundings.sleep(wait) } catch { throw Ending(failure: .cancelled, isSettled: false) }
        }
        throw last
    }

    private func exchange(
        _ call: Call, _ credential: Credential
    ) async -> Exchange {
        let request = request(call, credential)
        do {
            // Here and not once for the whole call: between two tries a consent may have been taken back.
            return .reply(try await consent.pass(call.consent) { [transport] in try await transport.send(request) })
        } catch is ConsentWithdrawn {
            return .failure(CloudFailure.Verdict(failure: .consentMissing, mayRepeat: false))
        } catch let failure as CloudTransportFailure {
            return .failure(CloudFailure.verdict(failure))
        } catch {
            return .failure(CloudFailure.Verdict(failure: AssistantFailure(error), mayRepeat: false))
        }
    }

    private enum Exchange {
        case reply(CloudReply)
        case failure(CloudFailure.Verdict)
    }

    private func request(_ call: Call, _ credential: Credential) -> CloudRequest {
        var fields = [
            CloudRequest.Field("Authorization", "Bearer \(credential.token)"),
            CloudRequest.Field("Content-Type", "application/json"),
            CloudRequest.Field("Accept", "application/json"),
        ]
        if let assertion = call.assertion { fields.append(CloudRequest.Field("X-Rejoin-Attestation", assertion)) }
        return CloudRequest(method: "PUT", url: call.url, fields: fields, body: call.body)
    }

    private static func read(_ reply: CloudReply) throws(Ending) -> (String, CloudUsage?) {
        switch CloudReplyBody(reply.body) {
        case .output(let text, let usage): return (text, usage)
        case .refused(let reason): throw Ending(failure: CloudFailure.failure(refusal: reason), isSettled: true)
        case nil: throw Ending(failure: .decoding, isSettled: true)
        }
    }

    private func judge(_ reply: CloudReply, asked: Int?) -> CloudFailure.Verdict {
        let problem = Problem(json: reply.body)
        let until = (asked ?? problem?.retryAfter).flatMap { seconds -> Timestamp? in
            guard (0...31_536_000).contains(seconds) else { return nil }
            return surroundings.now().advanced(byMilliseconds: Int64(seconds) * 1000)
        }
        return CloudFailure.verdict(status: reply.status, problem: problem?.kind, until: until)
    }
}
