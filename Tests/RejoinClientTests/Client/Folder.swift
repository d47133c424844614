import Foundation

/// A folder that goes with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "rejoin-client-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}
