internal import Foundation
internal import Glibc
package import RejoinCore
internal import SQLite

/// Copies of a database, made while a server uses it, and back again.
package enum DatabaseBackup {
    /// Why there is no backup, or nothing was restored, in words for the operator.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Pages copied at once, and the pause after them: some hundred megabytes a second at most, so that the disk has
    /// time for the answers.
    private static let (pagesAStep, pause) = (Int32(128), Duration.milliseconds(2))
    /// Pages after which the copy is brought to the disk, so that it never has much to write at once.
    private static let pagesASync = 4096

    /// Makes a copy of one moment, reads it from end to end, and puts it in its place.
    ///
    /// Blocks until it is done. The file is there only once it is whole.
    ///
    /// - Parameters:
    ///   - database: the database, in use or not.
    ///   - file: where the copy is to be; must not exist.
    ///   - progress: told how many pages are left, of how many.
    ///   - wait: how the pauses are spent.
    /// - Returns: the size of the copy in bytes.
    /// - Throws: ``Failure``.
    package static func make(
        of database: String, to file: String, progress: (_ left: Int, _ all: Int) -> Void = { _, _ in },
        wait: (Duration) -> Void
    ) throws(Failure) -> Int {
        guard access(database, R_OK) == 0 else { throw Failure("There is no database at \(database).") }
        guard access(file, F_OK) != 0 else { throw Failure("\(file) exists already.") }
        let part = file + ".part"
        unlink(part)
        do {
            // Before anything is written into it: nobody else is to read it.
            close(open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
            let descriptor = open(part, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure("\(file) cannot be written.") }
            defer { close(descriptor) }
            let source = try Connection(path: database, mode: .readWrite, busyTimeout: .seconds(10))
            try source.execute("PRAGMA query_only = ON")
            guard try Schema.version(of: source) > 0 else { throw Failure("\(database) is empty.") }
            try copy(source, to: part) { left, all in
                progress(left, all)
                wait(pause)
                if (all - left) % pagesASync < Int(pagesAStep) { fdatasync(descriptor) }
            }
            guard fsync(descriptor) == 0, rename(part, file) == 0 else { throw Failure("\(file) cannot be written.") }
            var status = stat()
            fstat(descriptor, &status)
            return Int(status.st_size)
        } catch {
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(part + ending) }
            throw Self.failure(error, file)
        }
    }

    /// Copies into a file and reads the copy; it is closed and has no other files beside it afterwards.
    private static func copy(
        _ source: Connection, to part: String, between: (_ left: Int, _ all: Int) throws -> Void
    ) throws {
        let target = try Connection(path: part, mode: .readWrite, busyTimeout: .zero)
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try source.copy(into: target, pagesAStep: pagesAStep, between: between)
        // The copy says of itself that it has a write-ahead log, which would be a second file.
        try target.execute("PRAGMA journal_mode = DELETE")
        try check(target, path: part)
    }

    /// Puts a backup where a server looks for its database.
    ///
    /// - Parameter database: where it is to be; must not exist, and no server may be using the folder.
    /// - Throws: ``Failure``; nothing was changed then.
    package static func restore(_ file: String, to database: String) throws(Failure) {
        guard access(file, R_OK) == 0 else { throw Failure("\(file) cannot be read.") }
        for ending in ["", "-wal", "-shm"] {
            guard access(database + ending, F_OK) != 0 else {
                throw Failure("\(database + ending) exists. Move it away first: nothing is overwritten.")
            }
        }
        let part = database + ".part"
        do {
            unlink(part)
            try FileManager.default.copyItem(atPath: file, toPath: part)
            chmod(part, 0o600)
            let copy = try Connection(path: part, mode: .readWrite, busyTimeout: .zero)
            guard try Schema.version(of: copy) > 0 else { throw Failure("\(file) is not a backup of rejoin.") }
            try copy.execute("PRAGMA journal_mode = DELETE")
            try check(copy, path: file)
            guard rename(part, database) == 0 else { throw Failure("\(database) cannot be written.") }
        } catch {
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(part + ending) }
            throw Self.failure(error, file)
        }
    }

    /// What is wrong with a database, read from end to end; nil if nothing is.
    package static func fault(in database: String) -> String? {
        do {
            let connection = try Connection(path: database, mode: .readWrite, busyTimeout: .seconds(10))
            try connection.execute("PRAGMA query_only = ON")
            guard try Schema.version(of: connection) > 0 else { return "The database is empty." }
            try check(connection, path: database)
            return nil
        } catch {
            return failure(error, database).description
        }
    }

    private static func check(_ connection: Connection, path: String) throws {
        let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        guard verdict == "ok" else { throw Failure("\(path) is damaged.") }
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let failure as StoreFailure: Failure(StartFailure(failure, database: path).description)
        case let failure as SQLiteFailure: Failure(StartFailure(StoreFailure(failure), database: path).description)
        default: Failure("\(path) cannot be read or written.")
        }
    }

    // MARK: A folder of backups

    private static let (prefix, ending) = ("rejoinder-", ".sqlite")

    /// What a backup of a moment is called in a folder of them.
    package static func name(at time: Timestamp) -> String {
        prefix + time.description.filter { $0 != "-" && $0 != ":" && $0 != "." } + ending
    }

    /// Deletes the backups of a folder that were made before a moment; other files stay.
    ///
    /// - Returns: the names of those that went.
    package static func expire(in folder: String, before: Timestamp) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let oldest = name(at: before)
        let old = names.filter {
            $0.hasPrefix(prefix) && $0.hasSuffix(ending) && $0.count == oldest.count && $0 < oldest
        }.sorted()
        return old.filter { unlink(folder + "/" + $0) == 0 }
    }
}
