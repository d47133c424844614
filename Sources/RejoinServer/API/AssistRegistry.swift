package import RejoinAssist
import RejoinCore

/// The operations that the server runs for apps: what a request of each may hold, and the task that it becomes.
package struct AssistRegistry: Sendable {
    /// One operation, without its types.
    struct Entry: Sendable {
        let shape: DraftSchema
        let task: @Sendable (JSONValue) -> ModelTask?
        /// Nil where there is nothing to review change by change.
        var review: AssistReview.Make?

        init<Operation: ServedOperation>(_ operation: Operation.Type) {
            shape = Operation.requestShape
            task = { request in Operation.input(from: request).map(Operation.task(for:)) }
            if let reviewed = operation as? any (ServedOperation & ReviewableOperation).Type {
                review = Self.review(reviewed)
            }
        }

        private static func review<Operation: ServedOperation & ReviewableOperation>(
            _ operation: Operation.Type
        ) -> AssistReview.Make {
            { request, output, edits in try AssistReview.make(operation, request, output, edits) }
        }
    }

    private let entries: [String: Entry]

    /// Names the operations; of two with one name the last counts.
    package init(_ operations: [any ServedOperation.Type]) {
        var entries: [String: Entry] = [:]
        for operation in operations { entries[operation.profile.id.name] = Self.entry(operation) }
        self.entries = entries
    }

    private static func entry<Operation: ServedOperation>(_ operation: Operation.Type) -> Entry { Entry(operation) }

    /// Whether there is an operation with a name.
    func knows(_ name: Substring) -> Bool { entries[String(name)] != nil }

    /// The names, sorted.
    package var names: [String] { entries.keys.sorted() }

    /// What a request of an operation may hold, as a JSON schema; nil for a name that none has.
    func requestShape(of name: String) -> JSONValue? { entries[name]?.shape.jsonSchema }

    /// What a person decides about, made of a request and of what the model said to it.
    ///
    /// - Throws: a ``Problem`` for a request that is none; the outer failure is that of the model's words.
    func review(
        of name: Substring, _ request: JSONValue, output: String, edits: [AssistReview.Edit]
    ) throws(Problem) -> Result<AssistReview, ValidationFailure> {
        let entry = try entry(name, for: request)
        guard let make = entry.review else { throw Problem(.notFound, "There is nothing to review of it.") }
        return try make(request, output, edits)
    }

    /// Makes a model's task of a request.
    ///
    /// - Parameter maximumBytes: the most text that the model may be shown.
    /// - Throws: a ``Problem`` that names the field which is not allowed, of the wrong type, too long or too many.
    func task(of name: Substring, _ request: JSONValue, maximumBytes: Int) throws(Problem) -> ModelTask {
        guard let task = try entry(name, for: request).task(request) else {
            throw Problem(.invalidRequest, "The fields do not fit together.")
        }
        guard task.pictures.isEmpty else {
            throw Problem(.unsupportedMedia, "Pictures are not offered.")
        }
        guard task.instructions.utf8.count + task.prompt.utf8.count <= maximumBytes else {
            throw Problem(.payloadTooLarge, "A request becomes at most \(maximumBytes) bytes for the model.")
        }
        return task
    }

    private func entry(_ name: Substring, for request: JSONValue) throws(Problem) -> Entry {
        guard let entry = entries[String(name)] else { throw Problem(.notFound, "There is no such operation.") }
        do throws(SchemaMismatch) {
            try entry.shape.check(request)
        } catch {
            let field = error.path.isEmpty ? nil : error.path
            throw Problem(.invalidRequest, "\(field ?? "The body") is \(error.expected).", field: field)
        }
        return entry
    }
}
