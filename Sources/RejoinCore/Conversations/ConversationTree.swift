/// One prompt, where it hangs, and the answers to it in the order they were asked for.
public struct Turn: Equatable, Sendable {
    public let id: TurnID
    /// The answer that the person was looking at; nil for a first turn.
    public let parent: AnswerID?
    public let content: [ContentPart]
    public var answers: [AnswerID]

    /// Puts a turn together.
    public init(id: TurnID, parent: AnswerID?, content: [ContentPart], answers: [AnswerID]) {
        self.id = id
        self.parent = parent
        self.content = content
        self.answers = answers
    }
}

/// The turns of a conversation as a tree: two turns with one parent are branches, two answers of one turn siblings.
///
/// Turns are only ever added; the order of addition is the server's.
public struct ConversationTree: Equatable, Sendable {
    public private(set) var turns: [Turn] = []
    private var positions: [TurnID: Int] = [:]
    private var owners: [AnswerID: TurnID] = [:]

    /// One step of a path: a prompt and the answer that was chosen, or none yet.
    public struct Step: Equatable, Sendable {
        public let turn: TurnID
        public let answer: AnswerID?

        /// Puts a step together.
        public init(turn: TurnID, answer: AnswerID?) {
            self.turn = turn
            self.answer = answer
        }
    }

    /// An empty tree.
    public init() {}

    /// Adds a turn after its parent; one that is there already, or whose parent is not, changes nothing.
    ///
    /// An answer belongs to one turn: a turn that claims another's, or its own parent, is not added either. Trees come
    /// from outside too, and a ring would have no path.
    ///
    /// - Returns: whether the tree holds the turn now because of this call.
    @discardableResult
    public mutating func add(_ turn: Turn) -> Bool {
        guard positions[turn.id] == nil else { return false }
        if let parent = turn.parent { guard owners[parent] != nil else { return false } }
        guard turn.answers.allSatisfy({ owners[$0] == nil }) else { return false }
        positions[turn.id] = turns.count
        turns.append(turn)
        for answer in turn.answers { owners[answer] = turn.id }
        return true
    }

    /// Adds a sibling answer to a turn.
    @discardableResult
    public mutating func add(_ answer: AnswerID, to turn: TurnID) -> Bool {
        guard owners[answer] == nil, let position = positions[turn] else { return false }
        turns[position].answers.append(answer)
        owners[answer] = turn
        return true
    }

    /// The turn of that id.
    public subscript(turn: TurnID) -> Turn? {
        guard let position = positions[turn] else { return nil }
        return turns[position]
    }

    /// The turn that an answer belongs to.
    public func turn(of answer: AnswerID) -> Turn? { owners[answer].flatMap { self[$0] } }

    /// The path from the first turn to `answer`: exactly what is shown, and exactly what a next prompt is answered with.
    public func path(to answer: AnswerID) -> [Step] {
        var steps: [Step] = []
        var next: AnswerID? = answer
        // Parents are always older than their children, so this ends.
        while let current = next, let turn = turn(of: current) {
            steps.append(Step(turn: turn.id, answer: current))
            next = turn.parent
        }
        steps.reverse()
        return steps
    }

    /// The newest leaf below the newest branch: what is selected until a person chooses.
    public var newestLeaf: AnswerID? { turns.last?.answers.last }
}
