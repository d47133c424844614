public import RejoinCore

/// A conversation as this device holds it: a line of the list.
public struct StoredConversation: Equatable, Sendable {
    public var id: ConversationID
    public var title: Title
    public var updatedAt: Timestamp
    public var isPinned: Bool
    public var isArchived: Bool
    /// Kept in memory alone and gone once it is closed.
    public var isTemporary: Bool
    /// The last answer of the path that is shown.
    public var selected: AnswerID?
    /// Whether its turns are here; false if only the line of the list is known.
    public var isComplete: Bool
    /// How many of its turns the server has not got yet.
    public var unsent: Int

    /// Puts a line together.
    public init(
        id: ConversationID, title: Title = .none, updatedAt: Timestamp, isPinned: Bool = false,
        isArchived: Bool = false, isTemporary: Bool = false, selected: AnswerID? = nil, isComplete: Bool = false,
        unsent: Int = 0
    ) {
        self.id = id
        self.title = title
        self.updatedAt = updatedAt
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.isTemporary = isTemporary
        self.selected = selected
        self.isComplete = isComplete
        self.unsent = unsent
    }

    /// Where the line stands in the list: pinned ones first, then the newest.
    public var position: ListPosition { ListPosition(isPinned: isPinned, updatedAt: updatedAt, id: id) }
}

/// A title and where it comes from.
///
/// A weaker title never takes the place of a stronger one.
public enum Title: Equatable, Sendable {
    case none
    /// The beginning of the first prompt.
    case firstWords(String)
    /// Made by the server.
    case server(String)
    /// Chosen by a person.
    case person(String)

    /// The words; empty for none.
    public var text: String {
        switch self {
        case .none: ""
        case .firstWords(let text), .server(let text), .person(let text): text
        }
    }

    /// How strong the title is, from 0.
    var rank: Int {
        switch self {
        case .none: 0
        case .firstWords: 1
        case .server: 2
        case .person: 3
        }
    }

    /// Puts words and a rank together again; nil if there is no such rank.
    init?(_ text: String, rank: Int) {
        switch rank {
        case 0: self = .none
        case 1: self = .firstWords(text)
        case 2: self = .server(text)
        case 3: self = .person(text)
        default: return nil
        }
    }
}

/// A place in the list of conversations: pinned ones first, then the newest; equal times are ordered by id.
public struct ListPosition: Hashable, Sendable {
    public var isPinned: Bool
    public var updatedAt: Timestamp
    public var id: ConversationID

    /// Names a place.
    public init(isPinned: Bool, updatedAt: Timestamp, id: ConversationID) {
        self.isPinned = isPinned
        self.updatedAt = updatedAt
        self.id = id
    }

    /// Whether this place comes before another in the list.
    func precedes(_ other: ListPosition) -> Bool {
        if isPinned != other.isPinned { return isPinned }
        if updatedAt != other.updatedAt { return updatedAt > other.updatedAt }
        return id > other.id
    }
}
