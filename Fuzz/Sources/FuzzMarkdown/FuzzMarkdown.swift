import RejoinMarkdown

/// Reads a text in pieces and at once: nothing may trap, and both must end the same, in the model and as patched HTML.
///
/// The first byte says how the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMarkdown(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: min(count, 4096)))
    guard let first = bytes.first else { return 0 }
    let text = bytes.dropFirst()
    let size = Int(first % 13) + 1

    var whole = MarkdownStream()
    _ = whole.append(text)
    _ = whole.finish()

    var stream = MarkdownStream()
    var writer = HTMLWriter()
    var picture = TerminalPicture(width: size * 5, alertName: { _ in "note" }, measure: { _ in 1 })
    var start = text.startIndex
    while start < text.endIndex {
        let end = min(start + size, text.endIndex)
        let change = stream.append(text[start..<end])
        _ = writer.patches(for: change, in: stream)
        picture.apply(change, of: stream)
        start = end
    }
    let change = stream.finish()
    _ = writer.patches(for: change, in: stream)
    picture.apply(change, of: stream)

    precondition(stream.blockCount == whole.blockCount, "The number of blocks depends on the pieces.")
    precondition(writer.html(of: stream) == writer.html(of: whole), "The text depends on the pieces.")
    return 0
}
