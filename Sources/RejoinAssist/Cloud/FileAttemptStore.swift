internal import RejoinCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps the keys of attempts in one small file, so that a resend after a restart has the same key.
public final class FileAttemptStore: AttemptStore {
    /// More unsettled attempts than any app has; the server keeps answers for a day.
    private static let mostKeys = 1000

    private let path: String
    private let keys: Mutex<[AttemptID: IdempotencyKey]>

    /// Reads a file, or begins one; a file that cannot be read counts as empty.
    ///
    /// - Parameter path: the file's path; its folder must be there.
    public init(path: String) {
        self.path = path
        keys = Mutex(Self.read(path))
    }

    public func key(of attempt: AttemptID) async -> IdempotencyKey? { keys.withLock { $0[attempt] } }

    public func keep(_ key: IdempotencyKey, of attempt: AttemptID) async throws {
        try change { keys in
            keys[attempt] = key
            // Keys sort by time: those that nobody ever settled go first.
            guard keys.count > Self.mostKeys else { return }
            let oldest = keys.min { $0.value.text < $1.value.text }
            if let oldest { keys[oldest.key] = nil }
        }
    }

    public func forget(_ attempt: AttemptID) async throws {
        try change { $0[attempt] = nil }
    }

    private func change(_ change: (inout [AttemptID: IdempotencyKey]) -> Void) throws {
        try keys.withLock { keys in
            var changed = keys
            change(&changed)
            guard changed != keys else { return }
            try Self.write(changed, to: path)
            keys = changed
        }
    }

    private static func read(_ path: String) -> [AttemptID: IdempotencyKey] {
        guard let data = try? Data(contentsOf: URL(filePath: path)),
            let members = try? JSONReader.parse(Array(data)).object?.members
        else { return [:] }
        var keys: [AttemptID: IdempotencyKey] = [:]
        for member in members {
            if let key = member.value.string.flatMap({ IdempotencyKey($0) }) { keys[AttemptID(member.name)] = key }
        }
        return keys
    }

    private static func write(_ keys: [AttemptID: IdempotencyKey], to path: String) throws {
        var json = JSONWriter()
        json.beginObject()
        for (attempt, key) in keys.sorted(by: { $0.value.text < $1.value.text }) {
            json.name(attempt.name)
            json.string(key.text)
        }
        json.endObject()
        try Data(json.bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
