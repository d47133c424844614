import HTTPServer
import RejoinCore

/// What is remembered about the caller, all of it for them to see, change and delete.
///
/// With memory off it can still be read and emptied: switching off hides nothing from its own person.
extension API {
    func showMemory(_ call: Call, _ caller: SessionRecord) async throws {
        let isOn = try await store.consent(of: caller.account)[.memory] != 0
        let facts = try await store.facts(of: caller.account)
        try await call.respond(200) { json in
            json.beginObject()
            json.name("on")
            json.bool(isOn)
            json.name("items")
            json.beginArray()
            for fact in facts { json.fact(fact) }
            json.endArray()
            json.endObject()
        }
    }

    /// Writes down what the person wants remembered; the same id or the same words are the same fact.
    func addFact(_ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 16 << 10)
        let now = surroundings.wall()
        let fact = Fact(
            id: try object.id("id") ?? surroundings.makeID(), text: try Self.factText(object.requiredString("text")),
            source: .person, isAccepted: true, createdAt: now, updatedAt: now)
        switch try await store.addFact(fact, of: caller.account, isAsked: true, now: now) {
        case .added(let fact): try await call.respond(201) { $0.fact(fact) }
        case .known(let fact): try await call.respond(200) { $0.fact(fact) }
        case .off: throw Problem(.conflict, "Memory is off: switch it on with PUT /v1/consent first.")
        case .full: throw Problem(.conflict, "At most \(Fact.mostKept) facts are kept: delete some first.")
        case .taken: throw Problem(.conflict, "The id is taken.", field: "id")
        }
    }

    func showFact(_ id: FactID, _ call: Call, _ caller: SessionRecord) async throws {
        guard let fact = try await store.fact(id, of: caller.account) else { throw Self.noFact }
        try await call.respond(200) { $0.fact(fact) }
    }

    /// Changes the words of a fact, or accepts a proposal as it is.
    func changeFact(_ id: FactID, _ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 16 << 10)
        let text = try object.string("text").map(Self.factText)
        let state = try object.string("state")
        if let state, state != "accepted" {
            throw Problem(.invalidRequest, "state can become \"accepted\"; DELETE declines a fact.", field: "state")
        }
        let change = try await store.changeFact(
            id, of: caller.account, text: text, accepts: state != nil, now: surroundings.wall())
        switch change {
        case .changed(let fact): try await call.respond(200) { $0.fact(fact) }
        case .known: throw Problem(.conflict, "Another fact says this already.", field: "text")
        case .notFound: throw Self.noFact
        }
        if text != nil { try await tasks.outdate(caller.account) }
    }

    func deleteFact(_ id: FactID, _ call: Call, _ caller: SessionRecord) async throws {
        guard try await store.deleteFact(id, of: caller.account, now: surroundings.wall()) else { throw Self.noFact }
        try await tasks.outdate(caller.account)
        try await call.respond(204, fields: [:], body: [])
    }

    func emptyMemory(_ call: Call, _ caller: SessionRecord) async throws {
        if try await store.deleteFacts(of: caller.account, now: surroundings.wall()) > 0 {
            try await tasks.outdate(caller.account)
        }
        try await call.respond(204, fields: [:], body: [])
    }

    private static func factText(_ text: String) throws(Problem) -> String {
        guard let cleaned = FactText.cleaned(text) else {
            throw Problem(
                .invalidRequest, "A fact is one line of 1 to \(FactText.maximumLength) characters.", field: "text")
        }
        return cleaned
    }

    private static let noFact = Problem(.notFound, "There is no such fact.")
}
