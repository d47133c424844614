import RejoinCore

extension ClientRefusal.Code {
    /// Too many answers wait for the model.
    public static let queueFull = Self(.queueFull)
    /// The conversation is longer than the model takes.
    public static let contextTooLarge = Self(.contextTooLarge)
    /// The model cannot answer just now.
    public static let modelUnavailable = Self(.modelUnavailable)
    /// The server holds something else under the same id.
    public static let conflict = Self(.turnConflict)
    /// The prompt is not one that can be sent: it is empty, or not what the server takes.
    public static let invalid = Self(.invalidRequest)
    /// This device cannot keep it: its disk is full, or its store is closed.
    public static let notKept = Self("not-kept")
}

extension ClientRefusal {
    /// Says what a server's refusal means for what was asked.
    init(_ error: ClientError) {
        self.init(Code(error.code.name), capability: error.capability, resetsAt: error.resetsAt)
    }
}
