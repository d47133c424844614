import RejoinTerminal
import SeededRandom
import Testing

@Suite struct CSVTableTests {
    @Test func `quotes, separators and line ends inside fields are read and written back`() throws {
        let text = "title;note\r\n\"a;b\";\"says \"\"hi\"\"\r\nand goes\"\r\nplain;\r\n"
        let table = try CSVTable(text)
        #expect(table.columns == ["title", "note"])
        #expect(table.rows == [["a;b", "says \"hi\"\r\nand goes"], ["plain", ""]])
        #expect(table.text == text)
    }

    @Test(arguments: [
        ("", CSVTable.Fault.empty), ("\n\n", .empty), ("a,b\n1\n", .fieldCount(line: 2, is: 1, expected: 2)),
        ("a,b\n\n1,\"x\n", .openQuote(line: 3)), ("a\n\"x\"y\n", .textAfterQuote(line: 2)),
    ])
    func `what is no table says where`(text: String, fault: CSVTable.Fault) {
        #expect(throws: fault) { try CSVTable(text) }
    }

    @Test func `a value goes into the column of its name, or into a new one`() throws {
        var table = try CSVTable("title,Group\nmilk,\n")
        table.set("group", of: 0, to: "Food, cold")
        table.set("seen", of: 0, to: "yes")
        #expect(table.text == "title,Group,seen\nmilk,\"Food, cold\",yes\n")
    }

    @Test func `every table survives being written and read`() throws {
        var random = SeededGenerator(seed: 8)
        let pieces = ["a", "é", ",", "\"", "\n", "\r\n", " ", "漢"]
        for _ in 0..<500 {
            func field() -> String {
                (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            var table = try CSVTable("one,two,three\n")
            table.rows = (0..<Int.random(in: 0...4, using: &random)).map { _ in [field(), field(), field()] }
            #expect(try CSVTable(table.text) == table)
        }
    }

    @Test func `any bytes are a table or a fault, and never a trap`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            let alphabet: [UInt8] = [UInt8(ascii: ","), 0x22, 0x0A, 0x0D, 0x61, 0xFF]
            let count = Int.random(in: 0...40, using: &random)
            let bytes = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            guard let table = try? CSVTable(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(table.rows.allSatisfy { $0.count == table.columns.count })
        }
    }
}
