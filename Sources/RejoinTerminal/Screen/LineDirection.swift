/// The order in which the characters of a line are drawn, for terminals that draw from left to right alone.
///
/// This is the part of Unicode's algorithm (UAX 9) that text without explicit formatting needs: the direction of the
/// paragraph by its first strong character (P2, P3), weak and neutral characters and pairs of brackets (W1 to W7, N0 to
/// N2), levels (I1, I2), the ends of lines (L1), reversal (L2) and mirroring (L4). Left out are embeddings, overrides
/// and isolates (X1 to X10): ``HarmlessText`` lets none of them through, because they could make a line say something
/// else than it says. Each line is taken by itself, so that a long paragraph need not be looked at whole for each
/// frame; a neutral character at a break takes the paragraph's direction. Letters are not joined into Arabic forms:
/// terminals that can do so do it by themselves.
struct LineDirection {
    /// 0 from left to right, 1 from right to left, higher inside of each other; one for each character.
    private(set) var levels: [UInt8]
    private let base: UInt8
    private var kinds: [DirectionClass]
    private let originals: [DirectionClass]

    /// Finds the levels of a line's characters.
    ///
    /// - Parameters:
    ///   - kinds: the class of each character.
    ///   - scalars: the first code point of each character: brackets are found by it.
    ///   - isRightToLeft: the direction of the paragraph.
    init(kinds: [DirectionClass], scalars: [Unicode.Scalar], isRightToLeft: Bool) {
        base = isRightToLeft ? 1 : 0
        self.kinds = kinds
        originals = kinds
        levels = []
        resolveWeak()
        resolveBrackets(scalars)
        resolveNeutral()
        assignLevels()
    }

    /// Whether a paragraph goes from right to left: by its first strong character; nil without one.
    static func isRightToLeft(_ text: some StringProtocol) -> Bool? {
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                if scalar.properties.isAlphabetic { return false }
                continue
            }
            let kind = DirectionClass(scalar)
            if kind.isStrong { return kind != .leftToRight }
        }
        return nil
    }

    /// The characters by number, in the order in which they are drawn from left to right.
    var order: [Int] {
        var order = Array(levels.indices)
        guard let highest = levels.max(), highest > 0 else { return order }
        for level in stride(from: highest, through: 1, by: -1) {
            var start = 0
            while start < order.count {
                guard levels[start] >= level else {
                    start += 1
                    continue
                }
                var end = start
                while end < order.count, levels[end] >= level { end += 1 }
                order[start..<end].reverse()
                start = end
            }
        }
        return order
    }

    private var baseKind: DirectionClass { base == 1 ? .rightToLeft : .leftToRight }

    private mutating func resolveWeak() {
        // W1 to W3 and W7 look at what came before.
        var previous = baseKind
        var strong = baseKind
        for index in kinds.indices {
            if kinds[index] == .nonspacingMark { kinds[index] = previous }
            previous = kinds[index]
            if kinds[index] == .europeanNumber, strong == .arabicLetter { kinds[index] = .arabicNumber }
            if kinds[index].isStrong { strong = kinds[index] }
        }
        for index in kinds.indices where kinds[index] == .arabicLetter { kinds[index] = .rightToLeft }
        // W4: one separator between two numbers of a kind.
        for index in kinds.indices.dropFirst().dropLast() {
            let (before, after) = (kinds[index - 1], kinds[index + 1])
            switch kinds[index] {
            case .europeanSeparator where before == .europeanNumber && after == before: kinds[index] = before
            case .commonSeparator where (before == .europeanNumber || before == .arabicNumber) && after == before:
                kinds[index] = before
            default: break
            }
        }
        // W5, W6: signs beside numbers belong to them, the others to nobody.
        var index = 0
        while index < kinds.count {
            guard kinds[index] == .europeanTerminator else {
                index += 1
                continue
            }
            var end = index
            while end < kinds.count, kinds[end] == .europeanTerminator { end += 1 }
            let touches =
                index > 0 && kinds[index - 1] == .europeanNumber || end < kinds.count && kinds[end] == .europeanNumber
            for position in index..<end { kinds[position] = touches ? .europeanNumber : .otherNeutral }
            index = end
        }
        strong = baseKind
        for index in kinds.indices {
            switch kinds[index] {
            case .europeanSeparator, .commonSeparator, .boundaryNeutral: kinds[index] = .otherNeutral
            case .leftToRight, .rightToLeft: strong = kinds[index]
            case .europeanNumber where strong == .leftToRight: kinds[index] = .leftToRight
            default: break
            }
        }
    }

    /// N0: both brackets of a pair go the same way.
    private mutating func resolveBrackets(_ scalars: [Unicode.Scalar]) {
        var open: [(closing: UInt32, index: Int)] = []
        var pairs: [(opening: Int, closing: Int)] = []
        for (index, scalar) in scalars.enumerated() where kinds[index] == .otherNeutral {
            guard let mirroring = Mirroring(scalar), let side = mirroring.bracket else { continue }
            switch side {
            case .opening:
                // As many as the algorithm wants to remember; beyond them it gives up on the line.
                if open.count == 63 { return }
                open.append((Self.canonical(mirroring.mirror), index))
            case .closing:
                guard let match = open.lastIndex(where: { $0.closing == Self.canonical(scalar) }) else { continue }
                pairs.append((open[match].index, index))
                open.removeSubrange(match...)
            }
        }
        for pair in pairs.sorted(by: { $0.opening < $1.opening }) { resolve(pair.opening, pair.closing) }
    }

    private mutating func resolve(_ opening: Int, _ closing: Int) {
        var hasOpposite = false
        var direction: DirectionClass?
        for kind in kinds[(opening + 1)..<closing] {
            guard let strong = Self.strength(of: kind) else { continue }
            if strong == baseKind {
                direction = strong
                break
            }
            hasOpposite = true
        }
        if direction == nil {
            guard hasOpposite else { return }
            direction = kinds[..<opening].last { Self.strength(of: $0) != nil }.flatMap(Self.strength) ?? baseKind
        }
        guard let direction else { return }
        for index in [opening, closing] {
            kinds[index] = direction
            // Marks on a bracket follow it.
            var next = index + 1
            while next < kinds.count, originals[next] == .nonspacingMark {
                kinds[next] = direction
                next += 1
            }
        }
    }

    /// N1, N2: what is neutral goes with its neighbours if they agree, and else with the paragraph.
    private mutating func resolveNeutral() {
        var index = 0
        while index < kinds.count {
            guard kinds[index].isNeutral else {
                index += 1
                continue
            }
            var end = index
            while end < kinds.count, kinds[end].isNeutral { end += 1 }
            let before = index > 0 ? Self.strength(of: kinds[index - 1]) ?? baseKind : baseKind
            let after = end < kinds.count ? Self.strength(of: kinds[end]) ?? baseKind : baseKind
            for position in index..<end { kinds[position] = before == after ? before : baseKind }
            index = end
        }
    }

    private mutating func assignLevels() {
        levels = kinds.map { kind in
            switch kind {
            case .rightToLeft: 1
            case .europeanNumber, .arabicNumber: 2
            default: base == 1 ? 2 : 0
            }
        }
        // L1: blanks before a separator and at the end of the line follow the paragraph.
        var isTrailing = true
        for index in originals.indices.reversed() {
            switch originals[index] {
            case .paragraphSeparator, .segmentSeparator:
                levels[index] = base
                isTrailing = true
            case .whitespace, .boundaryNeutral: if isTrailing { levels[index] = base }
            default: isTrailing = false
            }
        }
    }

    /// The direction that a character gives its neighbours; numbers count as right to left.
    private static func strength(of kind: DirectionClass) -> DirectionClass? {
        switch kind {
        case .leftToRight: .leftToRight
        case .rightToLeft, .europeanNumber, .arabicNumber: .rightToLeft
        default: nil
        }
    }

    /// The angle brackets exist twice.
    private static func canonical(_ scalar: Unicode.Scalar) -> UInt32 {
        switch scalar.value {
        case 0x2329: 0x3008
        case 0x232A: 0x3009
        default: scalar.value
        }
    }
}
