/// What is shown before data leaves the device: which boundary it is about to cross.
public struct BoundaryNotice: Sendable, Hashable {
    /// Where the data goes.
    public let boundary: DataBoundary
    /// Whether it goes there because another route failed.
    public let isFallback: Bool

    /// What a person is told, in English.
    public var sentence: String {
        isFallback
            ? "It did not work out so far. It goes on at \(boundary.words)."
            : "This leaves your device. It goes to \(boundary.words)."
    }
}

/// What is shown of a request's progress: one of a few things, so that no text from elsewhere comes to be shown.
public enum StatusText: Sendable, Hashable {
    /// A rule of the app answers.
    case answeringByRule
    /// The device's model is still being prepared.
    case preparingHere
    /// The device's model is busy with something else.
    case waitingHere
    /// The device's model is working.
    case workingHere
    /// Data goes out, or is out.
    case workingAt(DataBoundary)
    /// The person is being asked.
    case waitingForPermission
    /// It cannot be done now.
    case unavailable

    /// The words, in English.
    public var words: String {
        switch self {
        case .answeringByRule: "Answering on this device"
        case .preparingHere: "Preparing on this device"
        case .waitingHere: "Waiting for this device"
        case .workingHere: "Working on this device"
        case .workingAt(let boundary): "Working at \(boundary.words)"
        case .waitingForPermission: "Waiting for your permission"
        case .unavailable: "Not available now"
        }
    }
}

extension RouteDecision {
    /// The notice to show before it runs: in the mode `automatic`, if the data leaves the device now.
    ///
    /// A fallback that is merely permitted is no reason for one; if it comes to that, the decision for the fallback has
    /// its own. In the mode `cloudAllowed` the person has said beforehand that it may leave.
    public var notice: BoundaryNotice? {
        guard mode == .automatic, willUpload else { return nil }
        if case .fallback = reason { return BoundaryNotice(boundary: boundary, isFallback: true) }
        return BoundaryNotice(boundary: boundary, isFallback: false)
    }

    /// What to show while it runs.
    public var status: StatusText {
        switch primary.kind {
        case .deterministic: .answeringByRule
        case .onDevice: .workingHere
        case .privateCloud, .cloud: .workingAt(boundary)
        }
    }
}

extension Resolution {
    /// The notice to show before it runs, if data leaves the device.
    public var notice: BoundaryNotice? { decision?.notice }

    /// What to show of it.
    public var status: StatusText {
        switch self {
        case .run(let decision): decision.status
        case .wait(let wait): wait.state == .busy ? .waitingHere : .preparingHere
        case .askConsent: .waitingForPermission
        case .unavailable: .unavailable
        }
    }
}
