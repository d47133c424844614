/// Why a draft may not be shown, without a word of it.
@nonexhaustive public enum ValidationFailure: String, Error, Sendable, Hashable, Codable, CaseIterable {
    /// No object, two of them, or half of one.
    case undecodable
    /// Nothing is left of the text.
    case empty
    /// A value that cannot be: an amount below nothing, a day that no calendar has.
    case impossibleValue
    /// The text is in another language than the input.
    case languageChanged
    /// A number of the input is missing from the text.
    case numberLost
    /// The model declined in words.
    case refusedInWords
    /// More than may be.
    case tooLong
    /// A link that must not be followed.
    case unsafeLink
}
