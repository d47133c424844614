import RejoinCore

extension Script {
    /// Reads the scripts of a file: `{"model name": {"status"?, "fields"?, "framing"?, "steps": […]}, …}`.
    ///
    /// A step is an object with one member: `send`, `event`, `text`, `reasoning` or `finish` (a string), `hex` (bytes),
    /// `wait` (milliseconds), `hold` (a name), `usage` ([input, output]), `paced` ([pieces, per second]), or `done`,
    /// `end`, `close`, `cut` (true). With `"size": n` beside `send` or `hex` the bytes are cut into pieces of n.
    /// - Throws: ``ScriptFailure`` naming what cannot be read, and `JSONError`.
    package static func scripts(json bytes: [UInt8]) throws -> [String: Script] {
        guard let object = try JSONReader.parse(bytes).object else {
            throw ScriptFailure("the file is not an object of scripts")
        }
        var scripts: [String: Script] = [:]
        for member in object.members { scripts[member.name] = try Script(json: member.value, name: member.name) }
        return scripts
    }

    private init(json: JSONValue, name: String) throws {
        guard let object = json.object, let steps = object["steps"]?.array else {
            throw ScriptFailure("\(name): a script is an object with steps")
        }
        self.init(try steps.enumerated().map { try Self.step($1, "\(name): step \($0 + 1)") })
        if let status = object["status"] { self.status = status.integer ?? 200 }
        if let fields = object["fields"]?.object {
            self.fields = fields.members.map { ($0.name, $0.value.string ?? "") }
        }
        if let text = object["framing"]?.string {
            guard let framing = Framing(rawValue: text) else { throw ScriptFailure("\(name): no such framing") }
            self.framing = framing
        }
    }

    private static func step(_ json: JSONValue, _ place: String) throws -> Step {
        guard let object = json.object, let member = object.members.first(where: { $0.name != "size" }) else {
            throw ScriptFailure("\(place) is not an object")
        }
        let value = member.value
        let numbers = value.array?.compactMap(\.number) ?? []
        switch (member.name, value) {
        case ("send", .string(let text)): return sending(Array(text.utf8), object["size"]?.integer)
        case ("hex", .string(let text)): return sending(try bytes(hex: text, place), object["size"]?.integer)
        case ("event", .string(let text)): return .event(text)
        case ("text", .string(let text)): return .text(text)
        case ("reasoning", .string(let text)): return .reasoning(text)
        case ("finish", .string(let text)): return .finish(text)
        case ("wait", .integer(let milliseconds)): return .wait(milliseconds: milliseconds)
        case ("hold", .string(let name)): return .hold(name)
        case ("usage", _) where numbers.count == 2: return .usage(input: Int(numbers[0]), output: Int(numbers[1]))
        case ("paced", _) where numbers.count == 2: return .paced(pieces: Int(numbers[0]), perSecond: numbers[1])
        case ("done", .bool(true)): return .done
        case ("end", .bool(true)): return .end
        case ("close", .bool(true)): return .close
        case ("cut", .bool(true)): return .cut
        default: throw ScriptFailure("\(place) is not a known step")
        }
    }

    private static func sending(_ bytes: [UInt8], _ size: Int?) -> Step {
        guard let size, size > 0 else { return .bytes(bytes) }
        return .dribble(bytes, size: size)
    }

    private static func bytes(hex: String, _ place: String) throws -> [UInt8] {
        let digits = hex.utf8.filter { $0 != 0x20 }.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count % 2 == 0, !digits.contains(nil) else { throw ScriptFailure("\(place) is not hexadecimal") }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}

/// A script file that cannot be played.
package struct ScriptFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
