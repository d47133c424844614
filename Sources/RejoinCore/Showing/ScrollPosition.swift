/// Where a reader is in a text that grows, and whether the view follows its end.
///
/// Lengths are in whatever the front measures by: points, or rows. The front says what happened; this says where the
/// top edge of what is visible belongs. Only a reader's own scrolling may be reported as such: a view that moves
/// because its text grew has not been scrolled.
public struct ScrollPosition: Equatable, Sendable {
    /// What the view does when the text grows.
    public enum Mode: Equatable, Sendable {
        /// The end stays visible.
        case following
        /// The reader is somewhere above and is not moved; "jump to latest" is offered.
        case staying
    }

    public private(set) var mode = Mode.following
    /// The distance of the top edge of what is visible from the beginning of the text.
    public private(set) var offset = 0.0
    /// The length of the text.
    public private(set) var length = 0.0
    /// How much of it is visible at once.
    public private(set) var window: Double
    /// How near to the end still counts as the end.
    public let slack: Double

    /// Starts at the end of an empty text.
    public init(window: Double = 0, slack: Double = 1) {
        self.window = window
        self.slack = slack
    }

    /// The offset at which the end is visible.
    public var end: Double { length > window ? length - window : 0 }

    /// Whether to offer a way to the end.
    public var offersJump: Bool { mode == .staying }

    /// The reader scrolled.
    public mutating func scroll(to offset: Double) {
        self.offset = offset < 0 ? 0 : (offset > end ? end : offset)
        mode = isAtEnd ? .following : .staying
    }

    /// The text has another length now.
    ///
    /// - Parameter growthAbove: how much of the change lies above what the reader sees, which is not to move.
    public mutating func resize(to length: Double, growthAbove: Double = 0) {
        self.length = length
        settle(offset + growthAbove)
    }

    /// The view has another height now.
    public mutating func resize(window: Double) {
        self.window = window
        settle(offset)
    }

    /// The reader wants to see the end.
    public mutating func jump() {
        mode = .following
        offset = end
    }

    /// The reader sent a prompt, and wants to see what comes of it.
    public mutating func sent() { jump() }

    private var isAtEnd: Bool { offset >= end - slack }

    private mutating func settle(_ wanted: Double) {
        switch mode {
        case .following: offset = end
        case .staying:
            offset = wanted < 0 ? 0 : wanted
            // The text became so short that there is nothing to jump to.
            if offset > end { jump() }
        }
    }
}
