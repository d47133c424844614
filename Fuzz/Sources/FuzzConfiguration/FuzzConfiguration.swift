@testable import ServerParsing

/// Reads one text as JSON5: nothing may trap, and every place that is named lies within the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D || $0 == 0xA8 || $0 == 0xA9 } + 1
    func check(_ position: JSON5.Position) {
        precondition((1...lines).contains(position.line), "A line beyond the text.")
        precondition((1...count + 1).contains(position.column), "A column beyond the text.")
    }
    do throws(JSON5.Failure) {
        walk(try JSON5.parse(bytes), check)
    } catch {
        check(error.position)
        precondition(!error.message.isEmpty)
    }
    return 0
}

private func walk(_ value: JSON5, _ check: (JSON5.Position) -> Void) {
    check(value.position)
    switch value.value {
    case .array(let elements): for element in elements { walk(element, check) }
    case .object(let members):
        precondition(Set(members.map(\.name)).count == members.count, "A key stands twice.")
        for member in members {
            check(member.position)
            walk(member.value, check)
        }
    default: break
    }
}
