import RejoinAssist
import RejoinClient
package import RejoinCore

/// What `rejoin chat` was told.
package struct ChatOptions: Sendable {
    /// The conversation to go on with; nil begins a new one.
    package var conversation: ConversationID?
    package var model: String
    /// How long a server that went away in the middle is waited for.
    package var wait: Duration
    package var location: ServerLocation.Options
    /// Who may answer.
    package var device: DeviceOptions

    /// Notes what was said.
    package init(
        conversation: ConversationID? = nil, model: String = "auto", wait: Duration = .seconds(600),
        location: ServerLocation.Options = .init(), device: DeviceOptions = .init()
    ) {
        self.device = device
        self.conversation = conversation
        self.model = model
        self.wait = wait
        self.location = location
    }
}

/// `rejoin chat`: a conversation, on a whole screen where there is one, and line by line elsewhere.
package struct ChatCommand: Sendable {
    private let front: Front

    /// Talks through a front.
    package init(_ front: Front) { self.front = front }

    /// Talks until the person leaves; the exit code tells of trouble only when nobody sat at the keys.
    package func run(_ options: ChatOptions) async -> Int32 {
        if front.isScreen, let location = place(options), let code = await runOnScreen(options, location) {
            return code
        }
        switch await front.way(options.location, options.device) {
        case .server(let location):
            if let code = await runOnScreen(options, location) { return code }
            return await ChatSession(front: front, client: front.makeClient(location), options: options).run()
        case .store(let location):
            guard let talk = await StoreTalk.open(front, location, options.device) else { return ExitCode.failed }
            return await talk.during { await talk.lines(options) }
        case .refused(let code): return code
        }
    }

    /// Where the screen's conversations are; nil where that is to be told as any other trouble.
    private func place(_ options: ChatOptions) -> ServerLocation? {
        guard options.device.answering != nil || options.device.effective == .onDeviceOnly else { return nil }
        do {
            return try ServerLocation.resolve(options.location, environment: front.environment)
        } catch .noServer where options.device.effective == .onDeviceOnly || options.device.mode == nil {
            return .nowhere
        } catch {
            return nil
        }
    }

    /// - Returns: nil where there is no screen.
    private func runOnScreen(_ options: ChatOptions, _ location: ServerLocation) async -> Int32? {
        guard front.isScreen, let screen = front.openScreen() else { return nil }
        let folder = ClientFolder(location, environment: front.environment)
        let store: LocalStore
        do {
            store = try await LocalStore.open(folder: folder.path, account: folder.account)
        } catch {
            screen.close()
            await front.say("what this device holds cannot be opened: " + HarmlessText.line(String(describing: error)))
            return ExitCode.failed
        }
        var configuration = ConversationClient.Configuration()
        // Who says where prompts may be answered is told at once what cannot be.
        configuration.offlinePolicy = options.device.mode == nil ? .queue(expiry: Self.patience) : .refuse
        configuration.device = options.device.answering
        configuration.mode = location == .nowhere ? .onDeviceOnly : options.device.effective
        // A chat that stays open waits for its server for as long as it is open.
        configuration.retry = front.policy
        configuration.retry.initialPatience = nil
        configuration.retry.patience = nil
        let client = ConversationClient(
            client: front.makeClient(location), store: store, configuration: configuration)
        let program = await ChatProgram(
            client: client, screen: screen, folder: folder, conversation: options.conversation, model: options.model,
            ability: TerminalAbility(environment: front.environment))
        await program.run(interrupts: front.terminal.interrupts())
        screen.close()
        await store.close()
        return ExitCode.done
    }

    /// How long a prompt waits for the server before it is asked about again.
    private static let patience = Duration.seconds(24 * 3600)
}
