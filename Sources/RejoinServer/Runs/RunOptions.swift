package import RejoinCore

/// The options of a turn or of another answer: what a person may set, checked once at the edge.
package struct RunOptions: Equatable, Sendable {
    package var temperature: Double?
    package var topP: Double?
    package var seed: Int?
    package var maximumOutputTokens: Int?
    package var instructions: String?
    package var stop: [String] = []
    /// A JSON schema that the answer must follow.
    package var schema: JSONValue?
    /// Messages that come before the prompt, from an endpoint whose clients send the whole conversation each time.
    package var context: [ModelMessage] = []

    package init() {}

    /// Reads the `options` of a request.
    ///
    /// - Throws: a ``Problem`` that names the field which is unknown, of the wrong type or out of range.
    package init(_ value: JSONValue?) throws(Problem) {
        guard let value, !value.isNull else { return }
        guard let object = value.object else {
            throw Problem(.invalidRequest, "options is an object.", field: "options")
        }
        for member in object.members {
            let field = "options." + member.name
            func range(_ bounds: ClosedRange<Double>) throws(Problem) -> Double {
                guard let number = member.value.number, bounds.contains(number) else {
                    throw Problem(
                        .invalidRequest, "\(field) is a number from \(bounds.lowerBound) to \(bounds.upperBound).",
                        field: field)
                }
                return number
            }
            switch member.name {
            case "temperature": temperature = try range(0...2)
            case "top_p": topP = try range(0...1)
            case "seed":
                guard let integer = member.value.whole else {
                    throw Problem(.invalidRequest, "\(field) is a whole number.", field: field)
                }
                seed = integer
            case "max_output_tokens":
                guard let integer = member.value.whole, (1...1_000_000).contains(integer) else {
                    throw Problem(.invalidRequest, "\(field) is a whole number from 1 to 1000000.", field: field)
                }
                maximumOutputTokens = integer
            case "instructions":
                guard let text = member.value.string, text.utf8.count <= 65_536 else {
                    throw Problem(.invalidRequest, "\(field) is a text of at most 64 KiB.", field: field)
                }
                instructions = text
            case "schema":
                guard member.value.object != nil else {
                    throw Problem(.invalidRequest, "\(field) is a JSON schema.", field: field)
                }
                schema = member.value
            default: throw Problem(.invalidRequest, "There is no option \"\(member.name)\".", field: field)
            }
        }
    }

    /// The options as JSON with sorted names: equal options are equal bytes, which is how a repeat is known.
    package var encoded: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if !context.isEmpty {
            json.name("context")
            json.beginArray()
            for message in context {
                json.beginObject()
                json.member("role", message.role.rawValue)
                json.member("text", message.text)
                json.endObject()
            }
            json.endArray()
        }
        json.member("instructions", instructions)
        func number(_ name: String, _ value: JSONValue?) {
            guard let value else { return }
            json.name(name)
            json.value(value)
        }
        number("max_output_tokens", maximumOutputTokens.map(JSONValue.integer))
        number("schema", schema)
        number("seed", seed.map(JSONValue.integer))
        number("stop", stop.isEmpty ? nil : .array(stop.map(JSONValue.string)))
        number("temperature", temperature.map(JSONValue.number))
        number("top_p", topP.map(JSONValue.number))
        json.endObject()
        return json.bytes
    }

    /// Reads what ``encoded`` wrote.
    package init(stored bytes: [UInt8]) {
        guard let object = try? JSONReader.parse(bytes).object else { return }
        instructions = object["instructions"]?.string
        maximumOutputTokens = object["max_output_tokens"]?.integer
        schema = object["schema"]
        seed = object["seed"]?.integer
        stop = object["stop"]?.array?.compactMap(\.string) ?? []
        temperature = object["temperature"]?.number
        topP = object["top_p"]?.number
        context =
            object["context"]?.array?.compactMap { message in
                guard let role = message.object?["role"]?.string.flatMap(ModelRole.init(rawValue:)),
                    let text = message.object?["text"]?.string
                else { return nil }
                return ModelMessage(role, text)
            } ?? []
    }
}
