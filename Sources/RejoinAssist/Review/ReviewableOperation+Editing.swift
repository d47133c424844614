extension ReviewableOperation {
    /// Puts a person's words in place of one change of an output; they are validated like a model's.
    ///
    /// - Throws: why the words cannot stand.
    public static func revised(
        _ output: Output, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> Validated<Output> {
        let draft = try draft(of: output, replacing: change, with: text, for: input)
        let revised = try pipeline(draft, against: input)
        guard changes(in: revised.value, for: input).contains(where: { $0.id == change }) else {
            throw .impossibleValue
        }
        return revised
    }
}
