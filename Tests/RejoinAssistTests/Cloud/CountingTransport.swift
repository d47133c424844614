import RejoinAssist
import RejoinCore
import Synchronization

/// A transport without a network: it answers by a script and keeps everything that it was to send.
final class CountingTransport: CloudTransport {
    typealias Answer = Result<CloudReply, CloudTransportFailure>

    private let state = Mutex([CloudRequest]())
    private let script: @Sendable (CloudRequest, Int) async -> Answer

    /// Answers each request, whose number begins with 1.
    init(_ script: @escaping @Sendable (CloudRequest, Int) async -> Answer) { self.script = script }

    /// Answers with one reply after the other, the last of them for ever.
    convenience init(_ replies: CloudReply...) {
        self.init { _, number in
            replies.isEmpty ? .failure(.unreachable) : .success(replies[min(number, replies.count) - 1])
        }
    }

    /// All that it was to send, in order.
    var requests: [CloudRequest] { state.withLock { $0 } }

    func send(_ request: CloudRequest) async throws(CloudTransportFailure) -> CloudReply {
        let number = state.withLock { requests in
            requests.append(request)
            return requests.count
        }
        return try await script(request, number).get()
    }
}

/// A sign-in that counts how often it is refreshed.
final class CountingCredentials: CredentialSource {
    private let state: Mutex<(token: String?, next: String?, refreshes: Int)>
    private let gate: ScriptedGate?
    private let isForgetful: Bool

    /// - Parameters:
    ///   - next: the token after a refresh.
    ///   - gate: holds a refresh back until it is opened.
    ///   - isForgetful: goes on handing out the first token after a refresh.
    init(
        _ token: String? = "first", next: String? = "second", gate: ScriptedGate? = nil, isForgetful: Bool = false
    ) {
        state = Mutex((token, next, 0))
        self.gate = gate
        self.isForgetful = isForgetful
    }

    var refreshes: Int { state.withLock { $0.refreshes } }

    var next: String? {
        get { state.withLock { $0.next } }
        set { state.withLock { $0.next = newValue } }
    }

    func credential() async -> Credential? { state.withLock { $0.token }.map(Credential.init(token:)) }

    func refresh(_ refused: Credential) async -> Credential? {
        state.withLock { $0.refreshes += 1 }
        await gate?.pass()
        return state.withLock { state in
            if !isForgetful { state.token = state.next }
            return state.next.map(Credential.init(token:))
        }
    }
}

extension CloudReply {
    /// A success with this output.
    static func output(_ text: String) -> CloudReply {
        CloudReply(
            status: 200, body: Array(#"{"output":"\#(text)","usage":{"input_tokens":3,"output_tokens":4}}"#.utf8))
    }

    /// A problem document with a code, and words that nobody may ever see.
    static func problem(_ status: Int, _ code: String, retryAfter: String? = nil) -> CloudReply {
        let body = #"{"type":"/problems/\#(code)","title":"CANARY","status":\#(status),"detail":"CANARY says no"}"#
        return CloudReply(status: status, retryAfter: retryAfter, body: Array(body.utf8))
    }
}

extension CloudConfiguration {
    static let exampleRecipient = Recipient.firstParty("Rejoin")

    /// The configuration of a server that tests speak with.
    static func example(
        _ credentials: any CredentialSource, policy: AttestationPolicy = .sendWithout
    ) -> CloudConfiguration {
        CloudConfiguration(
            server: "https://rejoin.example", recipient: exampleRecipient, disclosureVersion: 1,
            credentials: credentials, attestationPolicy: policy)
    }
}

extension MemoryConsentLedger {
    /// The consents of a person who lets the example server have everything.
    static var ofEverything: MemoryConsentLedger {
        MemoryConsentLedger(
            DataClass.allCases.map { data in
                ConsentGrant(
                    ConsentRequest(
                        recipient: CloudConfiguration.exampleRecipient, data: data, disclosureVersion: 1),
                    at: Timestamp(milliseconds: 0))
            })
    }
}
