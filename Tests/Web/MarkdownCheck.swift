// Run by `scripts/web` inside a WebAssembly machine, with the examples of CommonMark's specification compiled in: each has
// to come out as it says, read at once and byte by byte. A trap is a failure.
import RejoinMarkdown

@_expose(wasm, "_start")
@_cdecl("_start")
public func start() {
    for (markdown, html) in specificationExamples {
        let wanted = markdown.withUTF8Buffer { bytes in
            var stream = MarkdownStream(extensions: .none)
            for byte in bytes { _ = stream.append(CollectionOfOne(byte)) }
            _ = stream.finish()
            var whole = MarkdownStream(extensions: .none)
            _ = whole.append(bytes)
            _ = whole.finish()
            let result = ReferenceWriter.bytes(of: whole)
            precondition(ReferenceWriter.bytes(of: stream) == result, "The text depends on the pieces.")
            var writer = HTMLWriter()
            precondition(writer.html(of: stream) == writer.html(of: whole), "The page depends on the pieces.")
            return result
        }
        let isSame = html.withUTF8Buffer { $0.elementsEqual(wanted) }
        precondition(isSame, "An example came out wrong.")
    }
}
