package import RejoinAssist
package import RejoinClient

/// Who may answer, as it was said on the command line.
package struct DeviceOptions: Sendable {
    /// `--mode`; nil where nothing was said.
    package var mode: ExecutionMode?
    /// Whether nothing may leave this device unless something else was said: the device's own setting.
    package var isPrivate: Bool
    /// The model of this device; nil where there is none.
    package var answering: DeviceAnswering?

    /// Notes what was said; nothing by default.
    package init(mode: ExecutionMode? = nil, isPrivate: Bool = false, answering: DeviceAnswering? = nil) {
        self.mode = mode
        self.isPrivate = isPrivate
        self.answering = answering
    }

    /// What holds: a conversation goes to the person's own server unless they chose that nothing leaves.
    var effective: ExecutionMode { mode ?? (isPrivate ? .onDeviceOnly : .cloudAllowed) }
}
