/// The page's own scripts and styles without what only their readers need: a fifth of what is sent for them.
///
/// Lines that are comments go, and the blanks before the others. That is safe for sources of our own, in which no text
/// goes on over the end of a line; nothing else is touched.
enum SlimSource {
    /// The lines that say something.
    static func slim(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isInComment = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isInComment || line.starts(with: "/*".utf8) {
                isInComment = !ends(line)
                continue
            }
            if line.isEmpty || line.starts(with: "//".utf8) { continue }
            if !result.isEmpty { result.append(UInt8(ascii: "\n")) }
            result += line
        }
        return result
    }

    private static func ends(_ line: ArraySlice<UInt8>) -> Bool { line.suffix(2).elementsEqual("*/".utf8) }
}
