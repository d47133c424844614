internal import SQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Why the local store could not do what it was asked.
///
/// `description` is safe to show; `detail` is for a log and may name a file, never a person's words.
public struct LocalStoreError: Error, Equatable, Sendable {
    /// What kind of failure it was, as an open list.
    public struct Code: Hashable, Sendable {
        /// The stable name.
        public let name: String

        /// Names a code.
        public init(_ name: String) { self.name = name }

        /// Nothing was written; what is stored stays readable.
        public static let fullDisk = Code("full-disk")
        /// Another process holds the file for longer than the wait allows.
        public static let locked = Code("locked")
        /// The file was written by a newer version.
        public static let newer = Code("newer")
        /// The file is damaged, or is no store of ours.
        public static let damaged = Code("damaged")
        /// Closed already.
        public static let closed = Code("closed")
        public static let other = Code("other")
    }

    public let code: Code
    /// Words for a log.
    public let detail: String

    /// Notes a failure.
    public init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Says in the store's words what SQLite refused.
    init(_ failure: SQLiteFailure) {
        let code: Code =
            switch failure.code {
            case .full: .fullDisk
            case .busy, .locked: .locked
            case .corrupt, .notADatabase: .damaged
            // SQLite reports some full disks as plain failures of a file.
            case .inputOutput, .cannotOpen: [ENOSPC, EDQUOT].contains(failure.systemError) ? .fullDisk : .other
            default: .other
            }
        self.init(code, detail: failure.debugDescription)
    }
}

extension LocalStoreError: CustomStringConvertible {
    public var description: String {
        switch code {
        case .fullDisk: "The disk is full"
        case .locked: "Another program holds the stored conversations"
        case .newer: "The stored conversations were written by a newer version"
        case .damaged: "The stored conversations cannot be read"
        case .closed: "The stored conversations were closed"
        default: "The stored conversations cannot be used just now"
        }
    }
}

extension LocalStoreError: CustomDebugStringConvertible {
    public var debugDescription: String { "LocalStoreError(\(code.name), \(detail))" }
}
