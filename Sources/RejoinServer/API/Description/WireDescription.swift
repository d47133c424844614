import HTTPServer
import RejoinCore

/// The server's interface as an OpenAPI 3.1 document, made of the tables in this folder.
///
/// A call is described in the table of its topic, next to what its handler does; a test holds that no route is without.
enum WireDescription {
    /// The calls of one topic.
    struct Topic: Sendable {
        let name: String
        let summary: String
        let calls: [DescribedCall]
    }

    /// Every topic, in the order of the document.
    static func topics(_ limits: API.Limits, _ assists: AssistRegistry) -> [Topic] {
        [
            accounts, signInWays, people, conversations(limits), answers(limits), changes, search, tasks(limits),
            account, models, memory, assist(limits, assists), openAI(limits), operations,
        ]
    }

    /// The document's bytes; made once, at the start.
    static func document(_ limits: API.Limits, _ assists: AssistRegistry) -> [UInt8] {
        let topics = topics(limits, assists)
        var json = JSONWriter()
        json.value(
            object([
                "openapi": .string("3.1.1"),
                "info": object([
                    "title": .string("Rejoinder"), "version": .string("1"), "description": .string(introduction),
                    "license": object(["name": .string("Apache-2.0"), "identifier": .string("Apache-2.0")]),
                ]),
                "jsonSchemaDialect": .string("https://json-schema.org/draft/2020-12/schema"),
                "servers": .array([object(["url": .string("/")])]),
                "tags": .array(
                    topics.map { object(["name": .string($0.name), "description": .string($0.summary)]) }),
                "paths": paths(topics),
                "components": components,
            ]))
        return json.bytes
    }

    private static let introduction = """
        An assistant whose answers are logs of numbered events: whoever holds event N asks for N+1, and nothing is lost.

        The client makes the ids of conversations, turns and answers. The same PUT sent again rejoins what is there.
        Bodies are JSON in UTF-8, and a member that is null counts as absent. Times are RFC 3339 in UTC, ids lower-case \
        UUIDs. Members and event types that a client does not know are to be skipped.

        A call that may answer with an event stream does so if Accept names text/event-stream. Whatever answers GET \
        answers HEAD; a method that a path does not have gets 405 with Allow. Nothing may be cached but the page's files.
        """

    private static func paths(_ topics: [Topic]) -> JSONValue {
        var paths: [JSONObject.Member] = []
        for topic in topics {
            for call in topic.calls {
                let operation = JSONObject.Member(
                    name: call.route.method.lowercased(), value: call.json(topic: topic.name))
                if let index = paths.firstIndex(where: { $0.name == call.route.pattern }),
                    let known = paths[index].value.object
                {
                    paths[index].value = .object(JSONObject(known.members + [operation]))
                } else {
                    let path = String(call.route.pattern)
                    paths.append(JSONObject.Member(name: path, value: .object(JSONObject([operation]))))
                }
            }
        }
        return .object(JSONObject(paths))
    }

    private static var components: JSONValue {
        object([
            "schemas": .object(
                JSONObject(schemas.map { JSONObject.Member(name: $0.key, value: $0.value.json) })),
            "responses": .object(JSONObject(RefusalReplies.shared)),
            "securitySchemes": object([
                "token": object([
                    "type": .string("http"), "scheme": .string("bearer"),
                    "description": .string("The token that signing in gave, or rejoin account add."),
                ]),
                "cookie": object([
                    "type": .string("apiKey"), "in": .string("cookie"), "name": .string("rejoin_session"),
                    "description": .string("What the page has; HttpOnly and SameSite=Strict."),
                ]),
                "client": object([
                    "type": .string("apiKey"), "in": .string("header"), "name": .string("X-Rejoin-Client"),
                    "description": .string(
                        "NAME/VERSION of the client. No other site can send it, so whatever changes something by the "
                            + "cookie needs it."),
                ]),
            ]),
        ])
    }

    /// An object in the order written.
    static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(JSONObject(members.map { JSONObject.Member(name: $0.key, value: $0.value) }))
    }
}

extension API {
    /// Sends the description, to anybody: it says nothing about whom the server is for.
    func showInterface(_ call: Call) async throws {
        try await call.respond(
            200, fields: ["Content-Type": "application/json", "Cache-Control": "no-cache"], body: interface)
    }
}
