/// Where a link or an image points.
public struct LinkTarget: Equatable, Sendable {
    /// The address, with escapes and entities read.
    public var destination: [UInt8]
    /// The title, with escapes and entities read; nil where none was written.
    public var title: [UInt8]?
}

/// The definitions of links and footnotes, and the blocks that name some that have not come yet.
struct References: Sendable {
    /// What a label stands for.
    enum Target: Sendable {
        case link(LinkTarget)
        case footnote(BlockID)
    }

    private var targets: [[UInt8]: Target] = [:]
    private var waiting: [[UInt8]: [BlockID]] = [:]

    /// The longest label, in bytes; CommonMark counts characters, of which there are never more.
    static let longestLabel = 999

    var isEmpty: Bool { targets.isEmpty }

    subscript(label: [UInt8]) -> Target? { targets[label] }

    /// Keeps a definition unless there is one already.
    ///
    /// - Returns: the blocks that have been waiting for it.
    mutating func define(_ target: Target, label: [UInt8]) -> [BlockID] {
        guard targets[label] == nil else { return [] }
        targets[label] = target
        return waiting.removeValue(forKey: label) ?? []
    }

    /// Notes that a block names a label.
    mutating func wait(_ id: BlockID, for label: [UInt8]) {
        guard targets[label] == nil else { return }
        if waiting[label]?.last == id { return }
        waiting[label, default: []].append(id)
    }

    /// What labels are compared by: case folded, blanks merged and cut off; nil where nothing is left.
    static func normalized(_ bytes: [UInt8], from start: Int, to end: Int) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(end - start)
        var position = start
        var isAfterGap = false
        while position < end {
            let byte = bytes[position]
            if byte.isGap || byte == Byte.carriageReturn {
                isAfterGap = !result.isEmpty
                position += 1
                continue
            }
            if isAfterGap { result.append(Byte.space) }
            isAfterGap = false
            if byte < 0x80 {
                result.append(byte.lowercased)
                position += 1
            } else {
                let (value, length) = Characters.decode(bytes, at: position)
                Characters.appendFolded(value, to: &result)
                position += length
            }
        }
        return result.isEmpty ? nil : result
    }
}
