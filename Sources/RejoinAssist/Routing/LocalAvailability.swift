/// Whether the model on this device can run now, as it was just read.
@nonexhaustive public enum LocalAvailability: Sendable, Hashable {
    /// It can, and this is what it can do.
    case ready(CapabilityRecord)
    /// The system is older than the model needs.
    case osTooOld
    /// The hardware cannot run it.
    case hardwareIneligible
    /// The person has switched it off in the system's settings.
    case disabledByUser
    /// This build of the app has no model for the device.
    case notBuiltIn
    /// It is offered here and has not been fetched; fetching needs the person's word.
    case notDownloaded
    /// Its files are being fetched or made ready.
    case preparing
    /// It runs as much as it can.
    case busy
    /// Nobody can say; also what a reason becomes that this version has never heard of.
    case unknown

    /// The state without what the model can do.
    public var state: LocalState {
        switch self {
        case .ready: .ready
        case .osTooOld: .osTooOld
        case .hardwareIneligible: .hardwareIneligible
        case .disabledByUser: .disabledByUser
        case .notBuiltIn: .notBuiltIn
        case .notDownloaded: .notDownloaded
        case .preparing: .preparing
        case .busy: .busy
        case .unknown: .unknown
        }
    }

    /// The availability for a state, with the record that `ready` needs.
    ///
    /// A model that is ready without saying what it can do is `unknown`: nothing may be guessed about it.
    public init(_ state: LocalState, record: CapabilityRecord? = nil) {
        self =
            switch state {
            case .ready: if let record { .ready(record) } else { .unknown }
            case .osTooOld: .osTooOld
            case .hardwareIneligible: .hardwareIneligible
            case .disabledByUser: .disabledByUser
            case .notBuiltIn: .notBuiltIn
            case .notDownloaded: .notDownloaded
            case .preparing: .preparing
            case .busy: .busy
            case .unknown: .unknown
            }
    }
}

/// The states of the model on this device, as labels that telemetry and support may see.
public enum LocalState: String, Sendable, Hashable, Codable, CaseIterable {
    case ready, preparing, busy, unknown
    case osTooOld = "os-too-old"
    case hardwareIneligible = "hardware-ineligible"
    case disabledByUser = "disabled-by-user"
    case notBuiltIn = "not-built-in"
    case notDownloaded = "not-downloaded"

    /// The state that a platform reports by name; a name that nobody here knows is `unknown`, never `ready`.
    public init(reported name: String) {
        self = LocalState(rawValue: name) ?? .unknown
    }

    /// Whether waiting on this device, and nothing else, can end the state.
    public var passesByItself: Bool { self == .preparing || self == .busy }
}
