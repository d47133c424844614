public import Observation
public import RejoinCore

/// The account on this device as a front shows it: the connection, the devices, signing out.
@MainActor @Observable public final class AccountModel {
    /// How the account stands on this device.
    public enum State: Equatable, Sendable {
        case signedIn(ConnectionState)
        case signingOut
        /// The server no longer knows this device; what was not sent is still here.
        case expired
        /// Nothing of the account is left on this device.
        case signedOut
    }

    /// What is known of the devices that are signed in.
    public enum Devices: Equatable, Sendable {
        case unknown
        case known([DeviceSession])
        case unavailable(RefusalNotice)
    }

    public let client: ConversationClient
    public private(set) var state: State
    public private(set) var devices = Devices.unknown

    @ObservationIgnored private let options: ModelOptions

    /// Makes a model.
    public init(client: ConversationClient, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
        state = Self.state(of: client.connection)
    }

    /// A line about the connection in English; nil while there is nothing to say.
    public var banner: String? {
        switch state {
        case .signedIn(.online), .signedOut: nil
        case .signedIn(.reconnecting(let attempt)): attempt == 0 ? nil : "Reconnecting"
        case .signedIn(.offline):
            client.configuration.offlinePolicy == .refuse
                ? "Offline. What is here can be read; prompts stay in the draft."
                : "Offline. What is here can be read; prompts wait for a connection."
        case .signedIn(.signedOut), .expired: "Signed out by the server. Sign in to go on; nothing is lost."
        case .signingOut: "Signing out"
        }
    }

    /// Whether new conversations are kept on this device.
    public var keepsHistory: Bool {
        get {
            access(keyPath: \.keepsHistory)
            return client.store.keepsHistory
        }
        set { withMutation(keyPath: \.keepsHistory) { client.store.keepsHistory = newValue } }
    }

    /// Keeps the model in step until its task is cancelled.
    public func run() async {
        let updates = client.updates()
        show()
        await FrameLoop.run(updates, ticker: options.ticker(for: client)) { updates in
            if updates.contains(.connection) { await self.show() }
        }
    }

    /// Asks the server for the devices.
    public func readDevices() async { await change { _ in } }

    /// Signs another device out.
    public func signOut(_ device: SessionID) async { await change { try await $0.signOut(device) } }

    /// Signs this device out and erases what it holds of the account.
    public func signOut() async {
        guard state != .signedOut, state != .signingOut else { return }
        state = .signingOut
        await client.signOut()
        state = .signedOut
    }

    private func show() {
        guard state != .signingOut, state != .signedOut else { return }
        let next = Self.state(of: client.connection)
        if next != state { state = next }
    }

    private static func state(of connection: ConnectionState) -> State {
        connection == .signedOut ? .expired : .signedIn(connection)
    }

    private func change(_ body: (RejoinClient) async throws -> Void) async {
        do {
            let sessions = try await client.ask { server in
                try await body(server)
                return try await server.sessions()
            }
            devices = .known(sessions)
        } catch let refusal as ClientRefusal {
            devices = .unavailable(options.guide.notice(for: refusal))
        } catch {}
    }
}
