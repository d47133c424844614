/// What is true of the model on this device right now.
@nonexhaustive public enum LocalAvailability: Sendable, Hashable {
    /// It can answer.
    case ready
    /// The system is too old for it.
    case osTooOld
    /// The device will never run it.
    case hardwareIneligible
    /// The person has turned it off.
    case disabledByUser
    /// It is being fetched or loaded.
    case preparing
    /// It works for somebody else.
    case busy
    /// Nobody knows.
    case unknown
}
