/// Why a store could not do what it was asked.
package struct StoreFailure: Error, Equatable, Sendable {
    /// What kind of failure it was; new kinds may come.
    package struct Code: Hashable, Sendable {
        package let name: String
        /// The disk or the quota is full.
        ///
        /// Nothing was written; what is stored stays readable.
        package static let full = Code(name: "full")
        /// The disk or the file does not take writes.
        package static let readOnly = Code(name: "read-only")
        /// Another process holds the database for longer than the wait allows.
        package static let locked = Code(name: "locked")
        /// The database was written by a newer version.
        package static let newer = Code(name: "newer")
        /// The file is not a database of ours, or is damaged.
        package static let corrupt = Code(name: "corrupt")
        /// The file cannot be opened, read or written.
        package static let io = Code(name: "io")
        /// The numbers of an appended entry do not follow the log.
        package static let outOfOrder = Code(name: "out-of-order")
        /// Closed already.
        package static let closed = Code(name: "closed")
        package static let other = Code(name: "other")
    }

    package let code: Code
    /// For logs: names no text of a person, but may name a file.
    package let detail: String

    package init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension StoreFailure: CustomStringConvertible {
    package var description: String { "the store failed: \(code.name)" }
}

extension StoreFailure: CustomDebugStringConvertible {
    package var debugDescription: String { "\(description): \(detail)" }
}
