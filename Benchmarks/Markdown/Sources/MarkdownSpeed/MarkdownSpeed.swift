import CMd4c
import RejoinMarkdown

/// Measures the engine beside md4c: whole texts, texts in pieces, and what re-reading everything for each piece costs.
@main enum MarkdownSpeed {
    private static let section = """
        ## What happens when a stream breaks

        A reader holds a **cursor**, the number of the last event that it has seen; after a break it asks again *from there
        on*. Nothing is sent twice, and nothing is lost: see [the protocol](https://example.com/protocol "all of it") and
        `GET /v1/answers/{id}/events`.

        1. The client connects and names its cursor.
        2. The server sends what came since, then what comes:
           - text in small pieces,
           - an end, with its reason.

        ```swift
        for try await event in client.events(after: cursor) {
            answer.apply(event) // idempotent
        }
        ```

        | Case        | Seen by the reader | Cost  |
        |-------------|--------------------|------:|
        | dropped     | a pause            | 1 ms  |
        | server died | a longer pause     | 40 ms |

        > It is the *same* text, whoever reads it and however often the line went down.


        """

    private static func text(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < size { bytes += section.utf8 }
        return bytes
    }

    private static func best(of rounds: Int, _ work: () -> Void) -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let time = ContinuousClock().measure(work)
            least = min(least, Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18)
        }
        return least
    }

    private static func whole(_ bytes: [UInt8]) -> Int {
        let stream = MarkdownStream(whole: bytes)
        var writer = HTMLWriter()
        return writer.html(of: stream).count
    }

    private static func pieces(_ bytes: [UInt8], size: Int, writes: Bool) -> Int {
        var stream = MarkdownStream()
        var writer = HTMLWriter()
        var count = 0
        var position = 0
        while position < bytes.count {
            let end = min(position + size, bytes.count)
            let change = stream.append(bytes[position..<end])
            count += writes ? writer.patches(for: change, in: stream).count : change.changed.count
            position = end
        }
        return count
    }

    private static func peer(_ bytes: [UInt8], _ count: Int) -> UInt {
        bytes.withUnsafeBytes { cmd4c_html($0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(count)) }
    }

    static func main() {
        var kept = 0
        let megabyte = text(1 << 20)
        let parse = best(of: 5) {
            kept += MarkdownStream(whole: megabyte).blockCount
        }
        let ours = best(of: 5) { kept += whole(megabyte) }
        let peers = best(of: 5) { kept += Int(peer(megabyte, megabyte.count)) }
        print("whole 1 MB: blocks \(rate(parse)), with HTML \(rate(ours)), md4c \(rate(peers)) MB/s")

        let streamed = best(of: 2) { kept += pieces(megabyte, size: 5, writes: false) }
        let patched = best(of: 2) { kept += pieces(megabyte, size: 5, writes: true) }
        let count = Double(megabyte.count / 5)
        print(
            "1 MB in pieces of 5 bytes: \(streamed / count * 1e6) µs a piece, with patches \(patched / count * 1e6); "
                + "\(patched / ours) times the whole")

        for size in [2_000, 20_000, 200_000] {
            let bytes = text(size)
            let rounds = max(1, 400_000 / size)
            let time = best(of: 3) { for _ in 0..<rounds { kept += pieces(bytes, size: 5, writes: true) } }
            print("a piece at \(size) bytes: \(time / Double(rounds * size / 5) * 1e6) µs")
        }

        let answer = text(50_000)
        let again = best(of: 1) {
            var end = 5
            while end <= answer.count {
                // md4c reads beyond the end of some texts that are cut inside a line.
                kept += Int(peer(answer, (answer[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? 0) + 1))
                end += 5
            }
        }
        let grown = best(of: 3) { kept += pieces(answer, size: 5, writes: true) }
        print(
            "50 KB in pieces of 5 bytes: ours \(grown) s, md4c from the start for each piece \(again) s: \(again / grown) times"
        )
        print(kept > 0 ? "" : "nothing")
    }

    private static func rate(_ seconds: Double) -> Int { Int(1.048576 / seconds) }
}
