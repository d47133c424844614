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

    /// Notes what was said.
    package init(
        conversation: ConversationID? = nil, model: String = "auto", wait: Duration = .seconds(600),
        location: ServerLocation.Options = .init()
    ) {
        self.conversation = conversation
        self.model = model
        self.wait = wait
        self.location = location
    }
}

/// `rejoin chat`: a conversation, line by line.
package struct ChatCommand: Sendable {
    private let front: Front

    /// Talks through a front.
    package init(_ front: Front) { self.front = front }

    /// Talks until the person leaves; the exit code tells of trouble only when nobody sat at the keys.
    package func run(_ options: ChatOptions) async -> Int32 {
        switch await front.connect(options.location) {
        case .success(let client): return await ChatSession(front: front, client: client, options: options).run()
        case .failure(let refusal): return refusal.code
        }
    }
}
