// Two texts of so many words, compared in the ways that cost the most and the least; the least of several tries each.

let length = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
let repeats = 7

/// A sequence that is the same each time.
struct Steps: RandomNumberGenerator {
    var state: UInt64 = 10

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

var steps = Steps()
let original = (0..<length).map { _ in "w\(Int.random(in: 0..<3000, using: &steps))" }
var edited = original
for index in stride(from: 0, to: edited.count, by: 9) { edited[index] = "changed" }
let pairs: [(String, [String])] = [
    ("the same", original), ("one word in nine changed", edited), ("nothing shared", original.map { $0 + "x" }),
    ("reversed", original.reversed()), ("shuffled", original.shuffled(using: &steps)),
]
for (name, changed) in pairs {
    let (before, after) = (original.joined(separator: " "), changed.joined(separator: " "))
    var best = Duration.seconds(3600)
    for _ in 0..<repeats {
        let time = ContinuousClock().measure {
            precondition(!WordDiff(before: before, after: after).parts.isEmpty)
        }
        best = min(best, time)
    }
    let (seconds, attoseconds) = best.components
    print("\(name)\t\(Double(seconds) * 1000 + Double(attoseconds) / 1e15)")
}
