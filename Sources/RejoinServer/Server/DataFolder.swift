import Foundation
import Glibc

/// The folder that keeps everything of one server, held by one server at a time.
package final class DataFolder: Sendable {
    package let path: String
    private let lock: Int32

    /// Creates the folder if it is missing and takes hold of it.
    ///
    /// - Throws: ``StartFailure`` when it cannot be made or another server holds it.
    package init(_ path: String) throws(StartFailure) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StartFailure(.dataFolder, "The data folder \(path) cannot be made.")
        }
        let descriptor = open(path + "/serve.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StartFailure(.dataFolder, "The data folder \(path) cannot be written.") }
        // The kernel lets go of it with the process, however that ends.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StartFailure(.dataFolder, "Another rejoin serve is using the data folder \(path).")
        }
        lock = descriptor
    }

    deinit { close(lock) }

    /// The database of a data folder.
    package static func database(in folder: String) -> String { folder + "/rejoinder.sqlite" }

    /// Where the archives of a data folder are kept while they can be fetched.
    package static func archives(in folder: String) -> String { folder + "/archives" }

    /// Where the server of a data folder was when it was started last; nil if it never was.
    package static func address(in folder: String) -> String? {
        ClientFile.member("address", in: folder + "/client.json")
    }

    package var database: String { Self.database(in: path) }

    /// What a terminal on the same machine and of the same user needs to talk to the server.
    package var clientFile: String { path + "/client.json" }

    /// Writes a file that only its owner can read, whole or not at all.
    package func writePrivately(_ bytes: [UInt8], to file: String) throws(StartFailure) {
        let temporary = file + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if descriptor >= 0 { close(descriptor) }
        guard written == bytes.count, rename(temporary, file) == 0 else {
            throw StartFailure(.dataFolder, "The data folder \(path) cannot be written.")
        }
    }
}

/// Why a server did not start, in words for the person who started it.
package struct StartFailure: Error, Sendable, CustomStringConvertible {
    /// What was in the way; each has its exit code, from `sysexits.h`.
    package enum Code: Int32, Sendable {
        /// The data folder or the database.
        case dataFolder = 74
        /// The address.
        case address = 69
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The words for a store that does not open.
    package init(_ failure: StoreFailure, database: String) {
        let words =
            switch failure.code {
            case .newer: "was written by a newer version of rejoin. Update rejoin, or use another data folder."
            case .locked: "is held by another program. Close it and start again."
            case .corrupt: "is not a database of rejoin, or is damaged. Restore a copy, or use another data folder."
            case .readOnly: "cannot be written: the disk or the file is read-only."
            case .full: "cannot be written: the disk is full."
            default: "cannot be opened."
            }
        self.init(.dataFolder, "The database \(database) \(words)")
    }
}
