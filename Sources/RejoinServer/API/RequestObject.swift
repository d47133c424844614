import RejoinCore

/// The object of a request's body, read member by member; each fault names its field.
struct RequestObject {
    private let object: JSONObject

    /// Reads a body; an empty one counts as an empty object.
    init(_ body: [UInt8]) throws(Problem) {
        guard !body.isEmpty else {
            object = JSONObject()
            return
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.parse(body)
        } catch {
            throw Problem(
                .invalidRequest, "The body is not valid JSON: \(error.reason.rawValue) at byte \(error.offset).")
        }
        guard let object = value.object else { throw Problem(.invalidRequest, "The body is a JSON object.") }
        self.object = object
    }

    /// The object itself, for who checks it whole.
    var whole: JSONValue { .object(object) }

    /// A member's value, whatever it is; null counts as absent.
    func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func string(_ name: String) throws(Problem) -> String? {
        guard let value = value(name) else { return nil }
        guard let string = value.string else { throw Self.wrongType(name, "a string") }
        return string
    }

    func requiredString(_ name: String) throws(Problem) -> String {
        guard let string = try string(name) else { throw Problem(.invalidRequest, "\(name) is missing.", field: name) }
        return string
    }

    func bool(_ name: String) throws(Problem) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.bool else { throw Self.wrongType(name, "true or false") }
        return bool
    }

    func id<Kind>(_ name: String) throws(Problem) -> ID<Kind>? {
        guard let string = try string(name) else { return nil }
        guard let id = ID<Kind>(string) else { throw Self.wrongType(name, "a lower-case UUID") }
        return id
    }

    func requiredID<Kind>(_ name: String) throws(Problem) -> ID<Kind> {
        guard let id: ID<Kind> = try id(name) else {
            throw Problem(.invalidRequest, "\(name) is missing.", field: name)
        }
        return id
    }

    static func wrongType(_ name: String, _ wanted: String) -> Problem {
        Problem(.invalidRequest, "\(name) is \(wanted).", field: name)
    }

    /// Reads a prompt's content: parts in order, with some text in it.
    func prompt(maximumBytes: Int) throws(Problem) -> [ContentPart] {
        guard let parts = value("content")?.array, !parts.isEmpty, parts.count <= 64 else {
            throw Problem(.invalidRequest, "content is an array of 1 to 64 parts.", field: "content")
        }
        var content: [ContentPart] = []
        var bytes = 0
        for (index, part) in parts.enumerated() {
            let field = "content[\(index)]"
            guard let type = part.object?["type"]?.string else {
                throw Problem(.invalidRequest, "\(field) is an object with a type.", field: field)
            }
            guard type == "text" else {
                throw Problem(
                    .unsupportedMedia, "Parts of type \"text\" are taken; others are not offered.", field: field)
            }
            guard let text = part.object?["text"]?.string else {
                throw Problem(.invalidRequest, "\(field).text is a string.", field: field + ".text")
            }
            bytes += text.utf8.count
            content.append(.text(text))
        }
        guard bytes <= maximumBytes else {
            throw Problem(.payloadTooLarge, "A prompt has at most \(maximumBytes) bytes.", field: "content")
        }
        guard !ContentPart.text(of: content).trimmingSpace.isEmpty else {
            throw Problem(.invalidRequest, "The prompt is empty.", field: "content")
        }
        return content
    }
}
