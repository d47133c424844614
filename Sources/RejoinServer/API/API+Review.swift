import RejoinAssist
import RejoinCore

/// The review of what an operation proposed: a pure question, which runs no model and keeps nothing.
extension API {
    /// How many changes a person may have rewritten.
    private static let longestEdits = 100

    func review(_ operation: Substring, _ call: Call) async throws {
        guard assists.knows(operation) else { throw Problem(.notFound, "There is no such operation.") }
        let body = try await call.object(limit: limits.bodyBytes)
        guard let request = body.value("request") else {
            throw Problem(.invalidRequest, "request is missing.", field: "request")
        }
        let output = try body.requiredString("output")
        let written = body.value("edits")
        guard written == nil || written?.object != nil else { throw RequestObject.wrongType("edits", "an object") }
        var edits: [AssistReview.Edit] = []
        for member in written?.object?.members ?? [] {
            guard let text = member.value.string else {
                throw Problem(.invalidRequest, "edits holds texts by the names of changes.", field: "edits")
            }
            edits.append(AssistReview.Edit(change: ChangeID(member.name), text: text))
        }
        guard edits.count <= Self.longestEdits else {
            throw Problem(.invalidRequest, "edits has at most \(Self.longestEdits) members.", field: "edits")
        }
        let review = try assists.review(of: operation, request, output: output, edits: edits)
        try await call.respond(200) { json in
            json.beginObject()
            switch review {
            case .failure(let failure): json.member("failure", failure.rawValue)
            case .success(let review): json.write(review)
            }
            json.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ review: AssistReview) {
        name("risky")
        bool(review.isRisky)
        name("changes")
        beginArray()
        for change in review.changes {
            beginObject()
            member("id", change.id.name)
            member("title", change.title)
            member("before", change.before)
            member("after", change.after)
            name("parts")
            beginArray()
            for part in WordDiff(before: change.before, after: change.after).parts {
                beginObject()
                switch part.kind {
                case .same: member("kind", "same")
                case .removed: member("kind", "removed")
                case .added: member("kind", "added")
                }
                member("text", part.text)
                endObject()
            }
            endArray()
            endObject()
        }
        endArray()
        name("refused")
        beginObject()
        for (change, failure) in review.refused { member(change.name, failure.rawValue) }
        endObject()
    }
}
