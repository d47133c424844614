import HTTPServer
import RejoinCore

/// How refusals stand in the document: problem documents by status, and what comes before any route.
enum RefusalReplies {
    /// The refusals of a call, by status.
    static func replies(to call: DescribedCall) -> [Int: JSONValue] {
        var replies: [Int: JSONValue] = [:]
        for status in Set(Refusal.allCases.map(\.status)) { replies[status] = reference(beforeRoutes(status)) }
        for (status, kinds) in Dictionary(grouping: call.allProblems, by: \.status) {
            // The same status may come from before the routes.
            let isEarly = replies[status] != nil
            let early: [Problem.Kind] = isEarly ? [status == 503 ? .temporarilyUnavailable : .invalidRequest] : []
            let all = Problem.Kind.allCases.filter { kinds.contains($0) || early.contains($0) }
            if call.isOpenAI {
                replies[status] = openAI(status, kinds, isEarly: isEarly, isCounted: call.isCounted)
            } else if let kind = all.first, all.count == 1, !(call.isCounted && status == 429) {
                replies[status] = reference(kind.rawValue)
            } else {
                replies[status] = reply(status, all, isCounted: call.isCounted)
            }
        }
        return replies
    }

    /// The refusals that many calls have, for the document's components.
    static var shared: [JSONObject.Member] {
        let early = Set(Refusal.allCases.map(\.status)).sorted().map { status in
            JSONObject.Member(
                name: beforeRoutes(status),
                value: reply(status, [status == 503 ? .temporarilyUnavailable : .invalidRequest], isCounted: false))
        }
        return Problem.Kind.allCases.map { kind in
            .init(name: kind.rawValue, value: reply(kind.status, [kind], isCounted: false))
        } + early
    }

    private static func beforeRoutes(_ status: Int) -> String { "request-refused-\(status)" }

    private static func reference(_ name: String) -> JSONValue {
        WireDescription.object(["$ref": .string("#/components/responses/\(name)")])
    }

    private static func reply(_ status: Int, _ kinds: [Problem.Kind], isCounted: Bool) -> JSONValue {
        reply(status, kinds, isCounted: isCounted, content: [problem(kinds)])
    }

    private static func openAI(
        _ status: Int, _ kinds: [Problem.Kind], isEarly: Bool, isCounted: Bool
    ) -> JSONValue {
        let error = JSONObject.Member(
            name: "application/json", value: WireDescription.object(["schema": Shape.named("OpenAIError").json]))
        let early = problem([status == 503 ? .temporarilyUnavailable : .invalidRequest])
        return reply(status, kinds, isCounted: isCounted, content: isEarly ? [error, early] : [error])
    }

    private static func problem(_ kinds: [Problem.Kind]) -> JSONObject.Member {
        let types = Shape.choice(kinds.map { "/problems/\($0.rawValue)" })
        let schema = WireDescription.object([
            "allOf": .array([
                Shape.named("Problem").json,
                WireDescription.object(["properties": WireDescription.object(["type": types.json])]),
            ])
        ])
        return .init(name: "application/problem+json", value: WireDescription.object(["schema": schema]))
    }

    private static func reply(
        _ status: Int, _ kinds: [Problem.Kind], isCounted: Bool, content: [JSONObject.Member]
    ) -> JSONValue {
        var fields: [DescribedCall.Field] = []
        if status == 429 || status == 503 {
            fields.append(
                .init(
                    name: "Retry-After", shape: .text(pattern: "^[0-9]+$"),
                    summary: "Seconds after which another try makes sense."))
        }
        if status == 401 {
            fields.append(
                .init(name: "WWW-Authenticate", shape: .string, summary: "How to sign in: Bearer.", isAlways: true))
        }
        if status == 405 {
            fields.append(
                .init(name: "Allow", shape: .string, summary: "The methods that the path has.", isAlways: true))
        }
        if isCounted, status == 429 { fields += DescribedCall.rateLimits }
        var titles: [String] = []
        for kind in kinds where !titles.contains(kind.title) { titles.append(kind.title) }
        var members: [JSONObject.Member] = [
            .init(name: "description", value: .string(titles.joined(separator: ", or: ") + "."))
        ]
        if !fields.isEmpty { members.append(.init(name: "headers", value: DescribedCall.Field.json(fields))) }
        members.append(.init(name: "content", value: .object(JSONObject(content))))
        return .object(JSONObject(members))
    }
}
