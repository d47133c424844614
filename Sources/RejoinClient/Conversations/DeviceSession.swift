public import RejoinCore

/// A device that is signed in to the account.
public struct DeviceSession: Equatable, Sendable {
    public let id: SessionID
    /// The name that the device gave itself.
    public let device: String
    public let createdAt: Timestamp?
    /// Whether it is this device.
    public let isCurrent: Bool

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ SessionID($0) }) else { return nil }
        self.id = id
        device = object["device"]?.string ?? ""
        createdAt = object["created_at"]?.string.flatMap { Timestamp($0) }
        isCurrent = object["current"]?.bool ?? false
    }
}
