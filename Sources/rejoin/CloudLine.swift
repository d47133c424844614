import HTTPClient
import RejoinAssist
import RejoinCore
import RejoinTerminal

/// The line to the person's own server, for operations that may leave the device.
struct CloudLine: CloudTransport {
    private let location: ServerLocation
    private let token: String
    private let client = HTTPClient()

    /// The most that a reply may hold, in bytes.
    private static let replyLimit = 1 << 20

    /// Nil where the person has no sign-in there.
    init?(_ location: ServerLocation) {
        guard let token = location.token else { return nil }
        self.location = location
        self.token = token
    }

    private var recipient: Recipient { .firstParty(location.address) }

    /// The route to it, for decisions; it is asked only when a decision needs to know.
    var route: CloudRoute {
        CloudRoute(
            recipient: recipient, disclosureVersion: ConsentCommand.disclosureVersion,
            availability: { _ in await availability() })
    }

    /// What runs operations there.
    func executor(
        consent: any ConsentLedger, attempts: any AttemptStore, _ surroundings: AssistantSurroundings
    ) -> CloudExecutor {
        CloudExecutor(
            CloudConfiguration(
                server: location.address, recipient: recipient, disclosureVersion: ConsentCommand.disclosureVersion,
                credentials: Token(token: token)),
            transport: self, consent: ConsentGate(consent),
            attempts: attempts,
            surroundings: CloudExecutor.Surroundings(
                now: surroundings.now, sleep: { try await ContinuousClock().sleep(for: $0) },
                random: surroundings.random))
    }

    func send(_ request: CloudRequest) async throws(CloudTransportFailure) -> CloudReply {
        do {
            let response = try await client.send(
                HTTPClientRequest(
                    request.method, url: request.url, fields: request.fields.map { ($0.name, $0.value) },
                    body: request.body,
                    timeouts: HTTPClientRequest.Timeouts(connect: .seconds(10), firstByte: .seconds(300))))
            let body = try await response.collect(limit: Self.replyLimit)
            return CloudReply(status: response.status, retryAfter: response.field("retry-after"), body: body)
        } catch let error as HTTPClientError {
            throw Self.failure(error)
        } catch {
            throw .cancelled
        }
    }

    private func availability() async -> CloudAvailability {
        let request = HTTPClientRequest(
            url: location.address + "/v1/models", fields: [("Authorization", "Bearer \(token)")],
            timeouts: HTTPClientRequest.Timeouts(connect: .seconds(3), firstByte: .seconds(5)))
        guard let response = try? await client.send(request) else { return .offline }
        guard (try? await response.collect(limit: Self.replyLimit)) != nil else { return .offline }
        return switch response.status {
        case 200: .ready(CapabilityRecord(capabilities: [.text, .structuredOutput]))
        case 401, 403: .signedOut
        default: .unknown
        }
    }

    private static func failure(_ error: HTTPClientError) -> CloudTransportFailure {
        switch error.code {
        case .unreachable: .unreachable
        case .tls: .untrusted
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .invalidRequest, .forbidden, .connectionClosed, .malformedReply, .tooLarge, .internalFailure: .dropped
        }
    }

    /// The token that the server gave this device; there is no other to be had here.
    private struct Token: CredentialSource {
        let token: String

        func credential() async -> Credential? { Credential(token: token) }
        func refresh(_ refused: Credential) async -> Credential? { nil }
    }
}
