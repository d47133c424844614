/// What has changed since the last frame: each thing once, however often it changed.
///
/// A screen is drawn at most once a frame. What comes in between is gathered here; whoever notes the first thing of a
/// frame asks for that frame, and nobody else need to.
public struct FrameBatch<Subject: Hashable> {
    private var order: [Subject] = []
    private var known: Set<Subject> = []

    /// Nothing has changed yet.
    public init() {}

    /// Whether nothing has changed.
    public var isEmpty: Bool { order.isEmpty }

    /// Notes that something changed.
    ///
    /// - Returns: whether it is the first of this frame, so that a frame is to be asked for.
    public mutating func note(_ subject: Subject) -> Bool {
        let isFirst = order.isEmpty
        if known.insert(subject).inserted { order.append(subject) }
        return isFirst
    }

    /// Takes what the frame is to show, in the order of the first mention, and begins the next one.
    public mutating func take() -> [Subject] {
        defer {
            order = []
            known = []
        }
        return order
    }
}

extension FrameBatch: Sendable where Subject: Sendable {}
