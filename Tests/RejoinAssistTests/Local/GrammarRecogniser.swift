/// Reads a grammar in llama.cpp's notation and says whether it lets a text through: an independent second opinion.
struct GrammarRecogniser {
    /// The grammar is not one.
    struct Malformed: Error {
        let place: String
    }

    private indirect enum Node {
        case literal([Unicode.Scalar])
        case set(Set<UInt32>, ranges: [ClosedRange<UInt32>], isNegated: Bool)
        case rule(String)
        case sequence([Node])
        case choice([Node])
        case times(Node, ClosedRange<Int>)
    }

    private var rules: [String: Node] = [:]

    init(_ text: String) throws {
        for line in text.split(separator: "\n") {
            guard let range = line.firstRange(of: " ::= ") else { throw Malformed(place: String(line)) }
            var parser = Parser(String(line[range.upperBound...]))
            rules[String(line[..<range.lowerBound])] = try parser.whole()
        }
        guard rules["root"] != nil else { throw Malformed(place: "root") }
    }

    /// Whether the whole text is let through.
    func accepts(_ text: String) throws -> Bool {
        let scalars = Array(text.unicodeScalars)
        return try match(.rule("root"), scalars, [0]).contains(scalars.count)
    }

    private func match(_ node: Node, _ text: [Unicode.Scalar], _ starts: Set<Int>) throws -> Set<Int> {
        switch node {
        case .literal(let literal):
            return Set(starts.filter { text[$0...].starts(with: literal) }.map { $0 + literal.count })
        case .set(let members, let ranges, let isNegated):
            return Set(
                starts.filter { start in
                    guard start < text.count else { return false }
                    let value = text[start].value
                    return (members.contains(value) || ranges.contains { $0.contains(value) }) != isNegated
                }.map { $0 + 1 })
        case .rule(let name):
            guard let rule = rules[name] else { throw Malformed(place: name) }
            return try match(rule, text, starts)
        case .sequence(let parts): return try parts.reduce(starts) { try match($1, text, $0) }
        case .choice(let parts): return try parts.reduce(into: []) { $0.formUnion(try match($1, text, starts)) }
        case .times(let part, let count):
            var (ends, current) = (count.lowerBound == 0 ? starts : [], starts)
            for time in 1...max(1, count.upperBound) where time <= count.upperBound {
                current = try match(part, text, current)
                if current.isEmpty { break }
                if time >= count.lowerBound { ends.formUnion(current) }
            }
            return ends
        }
    }

    private struct Parser {
        private let text: [Unicode.Scalar]
        private var index = 0

        init(_ text: String) { self.text = Array(text.unicodeScalars) }

        mutating func whole() throws -> Node {
            let node = try choice()
            guard index == text.count else { throw Malformed(place: string(text[index...])) }
            return node
        }

        private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

        private mutating func choice() throws -> Node {
            var parts = [try sequence()]
            while next == "|" {
                index += 1
                parts.append(try sequence())
            }
            return parts.count == 1 ? parts[0] : .choice(parts)
        }

        private mutating func sequence() throws -> Node {
            var parts: [Node] = []
            skip()
            while let character = next, character != "|", character != ")" {
                parts.append(try repeated(try atom()))
                skip()
            }
            return .sequence(parts)
        }

        private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }

        private mutating func skip() { while next == " " { index += 1 } }

        private mutating func repeated(_ node: Node) throws -> Node {
            switch next {
            case "?":
                index += 1
                return .times(node, 0...1)
            case "{":
                guard let end = text[index...].firstIndex(of: "}") else { throw Malformed(place: "{") }
                let numbers = string(text[(index + 1)..<end]).split(separator: ",").compactMap { Int($0) }
                index = end + 1
                guard let least = numbers.first, let most = numbers.last, least <= most else {
                    throw Malformed(place: "bounds")
                }
                return .times(node, least...most)
            default: return node
            }
        }

        private mutating func atom() throws -> Node {
            switch next {
            case "\"":
                index += 1
                var scalars: [Unicode.Scalar] = []
                while let character = next, character != "\"" {
                    scalars += try character == "\\" ? [escape()] : [plain()]
                }
                index += 1
                return .literal(scalars)
            case "[": return try set()
            case "(":
                index += 1
                let node = try choice()
                guard next == ")" else { throw Malformed(place: "(") }
                index += 1
                return node
            default:
                let name = text[index...].prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
                guard !name.isEmpty else { throw Malformed(place: string(text[index...])) }
                index += name.count
                return .rule(string(name))
            }
        }

        private mutating func plain() -> Unicode.Scalar {
            defer { index += 1 }
            return text[index]
        }

        private mutating func escape() throws -> Unicode.Scalar {
            index += 1
            guard let character = next else { throw Malformed(place: "\\") }
            index += 1
            switch character {
            case "\\", "\"", "[", "]": return character
            case "x":
                guard index + 2 <= text.count, let code = UInt8(string(text[index..<(index + 2)]), radix: 16) else {
                    throw Malformed(place: "\\x")
                }
                index += 2
                return Unicode.Scalar(code)
            default: throw Malformed(place: "\\\(character)")
            }
        }

        private mutating func set() throws -> Node {
            index += 1
            let isNegated = next == "^"
            if isNegated { index += 1 }
            var (members, ranges): (Set<UInt32>, [ClosedRange<UInt32>]) = ([], [])
            while let character = next, character != "]" {
                let first = try scalar()
                if next == "-" {
                    index += 1
                    ranges.append(first...(try scalar()))
                } else {
                    members.insert(first)
                }
            }
            index += 1
            return .set(members, ranges: ranges, isNegated: isNegated)
        }

        private mutating func scalar() throws -> UInt32 {
            if next == "\\" { return try escape().value }
            return plain().value
        }
    }
}
