/// What SQLite answered when it did not do as it was told.
package struct SQLiteFailure: Error, Equatable, Sendable {
    /// The primary result code: the class of the failure.
    package struct Code: Hashable, Sendable {
        package let rawValue: Int32

        /// Names a code by SQLite's own number.
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// A constraint of the schema refused a row.
        package static let constraint = Code(rawValue: 19)
        /// Another connection holds the lock for longer than the wait allows.
        package static let busy = Code(rawValue: 5)
        /// A table of the same connection is locked.
        package static let locked = Code(rawValue: 6)
        /// The file, or the disk that it is on, takes no writes.
        package static let readOnly = Code(rawValue: 8)
        /// The disk or the quota is full.
        package static let full = Code(rawValue: 13)
        /// The file is damaged.
        package static let corrupt = Code(rawValue: 11)
        /// The file is not a database.
        package static let notADatabase = Code(rawValue: 26)
        /// The file cannot be opened.
        package static let cannotOpen = Code(rawValue: 14)
        /// Reading or writing the file failed.
        package static let inputOutput = Code(rawValue: 10)
    }

    /// The class of the failure.
    package let code: Code
    /// SQLite's extended result code, which tells more.
    package let extendedCode: Int32
    /// The `errno` of the system call that failed, or 0.
    package let systemError: Int32
    /// The library's message and the statement; values bound to it are never part of either.
    package let message: String

    /// Notes a failure.
    package init(extendedCode: Int32, systemError: Int32 = 0, message: String) {
        self.code = Code(rawValue: extendedCode & 0xFF)
        self.extendedCode = extendedCode
        self.systemError = systemError
        self.message = message
    }

    /// Notes stored bytes that are not what was written.
    package static func corrupt(_ message: String) -> SQLiteFailure {
        SQLiteFailure(extendedCode: Code.corrupt.rawValue, message: message)
    }
}

extension SQLiteFailure: CustomStringConvertible {
    package var description: String { "the database refused (code \(extendedCode))" }
}

extension SQLiteFailure: CustomDebugStringConvertible {
    package var debugDescription: String {
        systemError == 0 ? "\(description): \(message)" : "\(description), errno \(systemError): \(message)"
    }
}
