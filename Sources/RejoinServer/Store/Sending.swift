package import RejoinCore

/// What was sent to a model for an answer: where to, and how much, never what.
package struct Sending: Equatable, Sendable {
    /// What it was sent for.
    package enum Purpose: String, Sendable { case answer, title, memory }

    package var purpose: Purpose
    /// The name that the configuration gave the model.
    package var model: String
    /// Whether it left this machine: `provider` is a recipient elsewhere.
    package var placement: Event.Placement
    /// Bytes of text, as UTF-8.
    package var bytes: Int
    /// The remembered facts that went along.
    package var facts: [FactID]

    package init(
        _ purpose: Purpose, model: String, placement: Event.Placement, bytes: Int, facts: [FactID] = []
    ) {
        self.purpose = purpose
        self.model = model
        self.placement = placement
        self.bytes = bytes
        self.facts = facts
    }
}

extension JSONWriter {
    /// Writes sendings as an array, on the wire as in the store.
    mutating func sendings(_ sendings: [Sending]) {
        beginArray()
        for sending in sendings {
            beginObject()
            member("purpose", sending.purpose.rawValue)
            member("model", sending.model)
            member("placement", sending.placement.rawValue)
            name("bytes")
            integer(sending.bytes)
            if !sending.facts.isEmpty {
                name("memory")
                beginArray()
                for fact in sending.facts { id(fact) }
                endArray()
            }
            endObject()
        }
        endArray()
    }
}

extension Sending {
    /// As the database keeps them; nil for none.
    static func encode(_ sendings: [Sending]) -> [UInt8]? {
        if sendings.isEmpty { return nil }
        var json = JSONWriter()
        json.sendings(sendings)
        return json.bytes
    }

    /// Reads what ``encode(_:)`` wrote; nil if it is something else.
    static func decode(_ bytes: [UInt8]) -> [Sending]? {
        guard let values = try? JSONReader.parse(bytes).array else { return nil }
        var sendings: [Sending] = []
        for value in values {
            guard let object = value.object, let model = object["model"]?.string, let bytes = object["bytes"]?.integer,
                let purpose = object["purpose"]?.string.flatMap(Purpose.init(rawValue:)),
                let placement = object["placement"]?.string.flatMap(Event.Placement.init(rawValue:))
            else { return nil }
            let facts = (object["memory"]?.array ?? []).compactMap { $0.string.flatMap { FactID($0) } }
            sendings.append(Sending(purpose, model: model, placement: placement, bytes: bytes, facts: facts))
        }
        return sendings
    }
}
