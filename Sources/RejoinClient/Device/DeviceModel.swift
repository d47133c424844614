public import RejoinAssist
public import RejoinCore

/// A model of this device that answers conversations: our own, the platform's, or a script in a test.
public protocol DeviceModel: Sendable {
    /// Its name, as it stands beside its answers.
    var name: String { get }

    /// Whether it can run now, as it was just read; it is asked for each prompt and never kept.
    var availability: LocalAvailability { get async }

    /// Answers a prompt, and tells what happens as the events of an answer.
    ///
    /// One answer at a time: whoever comes meanwhile waits. When the task is cancelled the model stops, and this returns
    /// at once.
    ///
    /// - Parameter emit: takes the next event; never the model's name or an end, which are the client's to say.
    /// - Returns: how it ended.
    func answer(_ prompt: DevicePrompt, emit: @escaping @Sendable (Event) -> Void) async -> Event.End
}

/// What a device's model is asked: the path that the person looks at, and nothing else.
public struct DevicePrompt: Equatable, Sendable {
    /// What was said before, oldest first.
    public var earlier: [ModelTask.Exchange]
    /// What is to be answered.
    public var prompt: String

    /// Puts a prompt together.
    public init(earlier: [ModelTask.Exchange] = [], prompt: String) {
        self.earlier = earlier
        self.prompt = prompt
    }
}
