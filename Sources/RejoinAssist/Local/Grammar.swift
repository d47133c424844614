internal import RejoinCore

/// A shape as a grammar in the notation (GBNF): what it lets through is JSON of that shape.
///
/// Everything is bounded, for a small model may otherwise never close a text or a list.
public struct Grammar: Sendable, Hashable {
    /// The rules, `root` first.
    public let text: String

    /// The most repetitions that one rule may ask for; the notation's reader refuses more than a few thousand.
    private static let mostRepetitions = 1500

    /// Writes the grammar of a shape.
    ///
    /// A text or list whose bound is beyond 1,500 gets that bound. A choice of nothing allows the empty text alone.
    public init(_ schema: DraftSchema) {
        var rules: [String] = []
        let root = Self.expression(schema, &rules)
        let common = [
            // Halves of surrogate pairs are left out: one without the other is no character.
            #"char ::= [^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" code)"#,
            #"code ::= [0-9a-cA-Ce-fE-F] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}"#,
            #"whole ::= "0" | "-"? [1-9] [0-9]{0,15}"#,
            #"decimal ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,8})?"#,
            #"gap ::= " "?"#,
        ]
        text = (["root ::= \(root)"] + rules + common).joined(separator: "\n") + "\n"
    }

    private static func expression(_ schema: DraftSchema, _ rules: inout [String]) -> String {
        switch schema {
        case .string(let limit): return #""\"" char{0,\#(bounded(limit))} "\"""#
        case .choice(let words):
            let literals = (words.isEmpty ? [""] : words).map { literal(json($0)) }
            return rule(literals.joined(separator: " | "), &rules)
        case .integer: return "whole"
        case .number: return "decimal"
        case .boolean: return #"("true" | "false")"#
        case .optional(let schema): return rule("\(expression(schema, &rules)) | \"null\"", &rules)
        case .array(let schema, let count): return array(expression(schema, &rules), count, &rules)
        case .object(let properties): return object(properties, &rules)
        }
    }

    private static func array(_ element: String, _ count: ClosedRange<Int>, _ rules: inout [String]) -> String {
        let (least, most) = (bounded(count.lowerBound), bounded(count.upperBound))
        guard most > 0 else { return #""[" "]""# }
        let item = rule(element, &rules)
        let some = #"\#(item) ("," gap \#(item)){\#(max(least, 1) - 1),\#(most - 1)}"#
        return least > 0 ? "\"[\" \(some) \"]\"" : "\"[\" (\(some))? \"]\""
    }

    private static func object(_ properties: [DraftSchema.Property], _ rules: inout [String]) -> String {
        let members = properties.map { property in
            let name = literal(json(property.name) + ":")
            return "\(name) gap \(rule(expression(property.schema, &rules), &rules))"
        }
        return ([#""{""#] + [members.joined(separator: #" "," gap "#)] + [#""}""#]).filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private static func rule(_ body: String, _ rules: inout [String]) -> String {
        rules.append("r\(rules.count) ::= \(body)")
        return "r\(rules.count - 1)"
    }

    private static func bounded(_ count: Int) -> Int { min(max(0, count), mostRepetitions) }

    /// A text in the notation's quotes.
    ///
    /// Control characters cannot come: a JSON text holds them escaped, as plain letters.
    private static func literal(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    private static func json(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
