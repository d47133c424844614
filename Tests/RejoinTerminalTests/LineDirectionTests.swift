import Foundation
import Testing

@testable import RejoinTerminal

@Suite struct LineDirectionTests {
    /// Unicode's own cases, without explicit formatting; `REJOIN_TEST_UNICODE` names the folder of all of them.
    static let cases: [String] = {
        let own = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/bidi.txt")
        let folder = ProcessInfo.processInfo.environment["REJOIN_TEST_UNICODE"]
        let file = folder.map { URL(filePath: $0).appending(path: "BidiCharacterTest.txt") } ?? own
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let explicit: Set<Substring> = [
            "061C", "202A", "202B", "202C", "202D", "202E", "2066", "2067", "2068", "2069", "2029",
        ]
        return text.split(separator: "\n").filter { line in
            !line.hasPrefix("#")
                && explicit.isDisjoint(with: line.split(separator: ";")[0].split(separator: " "))
        }.map(String.init)
    }()

    @Test func `Unicode's own cases come out in their order`() throws {
        #expect(Self.cases.count >= 690)
        var wrong: [String] = []
        for line in Self.cases {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            let scalars = fields[0].split(separator: " ").compactMap {
                UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
            }
            let levels = fields[3].split(separator: " ")
            // What has no level is not drawn; it is left out before.
            let kept = scalars.indices.filter { levels[$0] != "x" }
            let direction = LineDirection(
                kinds: kept.map { DirectionClass(scalars[$0]) }, scalars: kept.map { scalars[$0] },
                isRightToLeft: fields[2] == "1")
            let order = direction.order.map { String(kept[$0]) }.joined(separator: " ")
            if direction.levels.map(String.init) != kept.map({ String(levels[$0]) }) || order != fields[4] {
                wrong.append(line)
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(Self.cases.count): \(wrong.prefix(5).joined(separator: "\n"))")
    }

    static func drawn(_ text: String) -> String {
        let isRightToLeft = LineDirection.isRightToLeft(text) ?? false
        return String(LineOfText.cells(of: text, isRightToLeft: isRightToLeft, style: .plain).map(\.character))
    }

    static let lines: [(String, String)] = [
        ("plain (text)", "plain (text)"), ("abc שלום def", "abc םולש def"), ("שלום abc", "abc םולש"),
        ("שלום (עולם)!", "!(םלוע) םולש"), ("מחיר 12.50 שח", "חש 12.50 ריחמ"), ("a\u{200F}b", "ab"),
        ("السعر 12%", "%12 رعسلا"), ("שׁ", "שׁ"),
    ]

    @Test(arguments: lines.indices)
    func `a line is drawn in the order in which it is seen`(index: Int) {
        #expect(Self.drawn(Self.lines[index].0) == Self.lines[index].1)
    }

    @Test func `the first strong character says where a paragraph begins`() {
        #expect(LineDirection.isRightToLeft("1. שלום abc") == true)
        #expect(LineDirection.isRightToLeft("- abc שלום") == false)
        #expect(LineDirection.isRightToLeft("123 …") == nil)
    }
}
