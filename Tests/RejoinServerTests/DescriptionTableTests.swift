import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

/// The description, held to the table of routes.
@Suite struct DescriptionTableTests {
    private let calls = WireDescription.topics(API.Limits(), .standard).flatMap(\.calls)
    private let document = (try? JSONReader.parse(WireDescription.document(API.Limits(), .standard))) ?? .null

    @Test("S30 every route is described, and once", arguments: Route.allCases)
    func complete(_ route: Route) {
        let described = calls.filter { $0.route == route }
        #expect(
            described.count == 1,
            "\(route.rawValue) is in \(described.count) tables of API/Description: add a DescribedCall to one")
    }

    @Test("S30 every place in a route's path is described, and no other", arguments: Route.allCases)
    func places(_ route: Route) throws {
        let places = route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        let call = try #require(calls.first { $0.route == route })
        #expect(call.parameters.filter { $0.place == .path }.map(\.name) == places)
    }

    @Test("S30 the document has each route under its path and method, with a name of its own")
    func paths() throws {
        let paths = try #require(document.object?["paths"]?.object)
        var names: Set<String> = []
        for route in Route.allCases {
            let operation = paths[String(route.pattern)]?.object?[route.method.lowercased()]?.object
            let name = try #require(operation?["operationId"]?.string, "\(route.rawValue)")
            #expect(names.insert(name).inserted)
            #expect(operation?["responses"]?.object?.members.isEmpty == false)
        }
        #expect(paths.members.reduce(0) { $0 + ($1.value.object?.members.count ?? 0) } == Route.allCases.count)
    }

    @Test("S30 every reference in the document leads somewhere, and every named part is used")
    func references() throws {
        var used: Set<String> = []
        func walk(_ value: JSONValue) {
            for element in value.array ?? [] { walk(element) }
            for member in value.object?.members ?? [] {
                if member.name == "$ref", let target = member.value.string { used.insert(target) }
                walk(member.value)
            }
        }
        walk(document)
        var named: Set<String> = []
        for kind in ["schemas", "responses"] {
            let parts = document.object?["components"]?.object?[kind]?.object?.members ?? []
            named.formUnion(parts.map { "#/components/\(kind)/\($0.name)" })
        }
        #expect(used.subtracting(named) == [])
        // Refusals are there for every kind, also for those that no call has alone.
        #expect(named.subtracting(used).filter { !$0.contains("/responses/") } == [])
    }

    @Test func `each kind of problem is in the schema of problems, and each type of event in that of streams`() throws {
        let schema = document.object?["components"]?.object?["schemas"]?.object?["Problem"]?.object
        let types = schema?["properties"]?.object?["type"]?.object?["enum"]?.array?.compactMap(\.string)
        #expect(types == Problem.Kind.allCases.map { "/problems/\($0.rawValue)" })
        let described = Set(WireDescription.answerEvents.map(\.key))
        let events: [Event] = [
            .status(.init(.queued)), .text(""), .reasoning(""), .source(.init(title: "", url: nil, upload: nil)),
            .attachment(.init(upload: UploadID(high: 0, low: 0), mediaType: "", name: "")),
            .tool(.init(call: "", name: "", phase: .started, detail: nil)), .model(.init("", placement: .server)),
            .compaction(droppedTurns: 0, summary: nil), .withdrawn(reason: ""),
            .usage(.init(inputTokens: 0, outputTokens: 0, isEstimated: true)), .snapshot(.init(seq: 0, content: [])),
            .end(.init(.done, .complete)),
        ]
        #expect(described == Set(events.map(\.type)))
    }

    @Test("S30 the description is served to anybody, and is the one of the running server's limits")
    func served() async throws {
        try await APIHarness.run(ScriptedModel(saying: []), adjust: { $0.limits.bodyBytes = 123_456 }) { server in
            let reply = try await server.web.send("GET", "/openapi.json", nil)
            #expect(reply.status == 200 && reply.field("Content-Type") == "application/json")
            #expect(reply.json["openapi"]?.string == "3.1.1")
            #expect(String(decoding: reply.body, as: UTF8.self).contains(#""x-maximum-bytes":123456"#))
        }
    }
}
