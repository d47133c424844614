import Foundation
import RejoinAssist
import Testing

@Suite struct OperationIDTests {
    @Test func `a name is written as it stands in the source`() throws {
        let id: OperationID = "rewrite"
        #expect(id.name == "rewrite")
        #expect(try String(decoding: JSONEncoder().encode([id]), as: UTF8.self) == #"["rewrite"]"#)
    }
}
