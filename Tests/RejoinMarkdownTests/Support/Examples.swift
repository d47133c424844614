import Foundation

/// The examples of CommonMark's specification, which `scripts/setup test` fetches.
enum Examples {
    struct Example: Decodable, Sendable {
        var markdown: String
        var html: String
        var example: Int
        var section: String
    }

    static let path = ProcessInfo.processInfo.environment["REJOIN_TEST_COMMONMARK"]

    static let all: [Example] = {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return [] }
        return (try? JSONDecoder().decode([Example].self, from: data)) ?? []
    }()
}
