public import RejoinCore

/// A model that the server offers.
public struct ModelSummary: Equatable, Sendable {
    /// The name to ask for, and to show.
    public let name: String
    /// Where it runs; nil where the server does not say.
    public let placement: Event.Placement?
    /// `ready`, `loading` …; nil where the server does not say.
    public let state: String?
    /// Whether `auto` means this one.
    public let isDefault: Bool

    init?(_ value: JSONValue, standard: String?) {
        guard let object = value.object, let name = object["name"]?.string else { return nil }
        self.name = name
        placement = object["placement"]?.string.flatMap(Event.Placement.init(rawValue:))
        state = object["state"]?.string
        isDefault = name == standard
    }
}
