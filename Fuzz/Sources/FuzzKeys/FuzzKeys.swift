import TerminalKeys

/// Types bytes into a decoder and what comes out into an editor: nothing may trap, and the editor stays whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeys(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: min(count, 4096)))
    guard let first = bytes.first else { return 0 }
    let width = Int(first % 40) + 1
    var decoder = KeyDecoder()
    var editor = LineEditor()
    var inputs: [Input] = []
    for byte in bytes.dropFirst() {
        // A byte that no terminal sends stands for a while without any.
        if byte == 0xFE { decoder.timeOut(into: &inputs) } else { decoder.feed(byte, into: &inputs) }
        for input in inputs {
            switch input {
            case .paste(let text): editor.insert(text)
            case .wheel(let lines): editor.move(lines: lines, width: width)
            case .key(let key):
                switch key.code {
                case .character(let scalar) where key.modifiers.isEmpty: editor.insert(String(scalar))
                case .enter: editor.insert("\n")
                case .backspace: editor.deleteBackward()
                case .delete: editor.deleteForward()
                case .left: editor.moveWordLeft()
                case .right: editor.moveRight()
                case .up: editor.move(lines: -1, width: width)
                case .down: editor.move(lines: 1, width: width)
                case .home: editor.cutToLineStart()
                case .end: editor.paste()
                default: break
                }
            }
        }
        inputs.removeAll(keepingCapacity: true)
        if editor.characters.count > 2000 { editor.replace(with: "") }
    }
    let layout = editor.layout(width: width)
    precondition(layout.lines.indices.contains(layout.cursorLine), "The cursor left the text.")
    precondition((0..<max(width, 2)).contains(layout.cursorColumn), "The cursor left the screen.")
    precondition(editor.characters == Array(editor.text), "A character was cut.")
    return 0
}
