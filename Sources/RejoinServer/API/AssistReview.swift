import RejoinAssist
import RejoinCore

/// What a model proposed and a person may have rewritten, validated by the operation's own pipeline: for a page, which
/// has no pipeline of its own.
struct AssistReview: Sendable {
    /// Words of a person in place of one change.
    struct Edit: Sendable {
        var change: ChangeID
        var text: String
    }

    typealias Make =
        @Sendable (JSONValue, String, [Edit]) throws(Problem) -> Result<AssistReview, ValidationFailure>

    /// Whether it costs much when it is wrong: then nothing is selected beforehand.
    let isRisky: Bool
    let changes: [RejoinAssist.Change]
    /// The edits that cannot stand, and why; they changed nothing.
    let refused: [(change: ChangeID, failure: ValidationFailure)]

    static func make<Operation: ServedOperation & ReviewableOperation>(
        _ operation: Operation.Type, _ request: JSONValue, _ output: String, _ edits: [Edit]
    ) throws(Problem) -> Result<AssistReview, ValidationFailure> {
        guard let input = Operation.input(from: request) else {
            throw Problem(.invalidRequest, "The fields do not fit together.")
        }
        var validated: Validated<Operation.Output>
        do throws(ValidationFailure) {
            validated = try Operation.pipeline(Operation.draft(from: output, for: input), against: input)
        } catch { return .failure(error) }
        var refused: [(change: ChangeID, failure: ValidationFailure)] = []
        for edit in edits {
            do throws(ValidationFailure) {
                validated = try Operation.revised(
                    validated.value, replacing: edit.change, with: edit.text, for: input)
            } catch { refused.append((edit.change, error)) }
        }
        return .success(
            AssistReview(
                isRisky: Operation.profile.risk == .high,
                changes: Operation.changes(in: validated.value, for: input), refused: refused))
    }
}
