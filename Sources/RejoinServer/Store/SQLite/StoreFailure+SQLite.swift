package import SQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension StoreFailure {
    /// Says in the store's words what SQLite refused.
    package init(_ failure: SQLiteFailure) {
        let code: Code =
            switch failure.code {
            case .full: .full
            case .readOnly: .readOnly
            case .busy, .locked: .locked
            case .corrupt, .notADatabase: .corrupt
            case .cannotOpen, .inputOutput: Self.code(ofSystemError: failure.systemError)
            default: .other
            }
        self.init(code, detail: failure.debugDescription)
    }

    /// SQLite reports some full and read-only disks as plain failures of a file.
    private static func code(ofSystemError error: Int32) -> Code {
        switch error {
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES, EPERM: .readOnly
        default: .io
        }
    }
}
