import RejoinCore

/// Reads one text: what is accepted must come out of the writer as the same value, and nothing may trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let value = try? JSONReader.parse(bytes) else { return 0 }
    var writer = JSONWriter()
    writer.value(value)
    guard let again = try? JSONReader.parse(writer.bytes) else { fatalError("What was written cannot be read.") }
    precondition(again == value, "What was written reads as something else.")
    precondition(!writer.bytes.contains(0x0A), "A line end would break an event.")
    return 0
}
