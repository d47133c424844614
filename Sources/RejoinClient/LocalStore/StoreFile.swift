internal import RejoinCore
internal import SQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The file of one account, and the two that SQLite keeps beside it.
struct StoreFile: Sendable {
    let folder: String
    let path: String

    init(folder: String, account: AccountID) {
        self.folder = folder
        path = folder + "/\(account).sqlite"
    }

    /// Opens the file for writing, made and brought up to this version where needed.
    ///
    /// - Parameter checkpointPages: how long the write-ahead log grows; 0 for without end.
    func openWriter(busyTimeout: Duration, checkpointPages: Int) throws -> sending Connection {
        try make()
        let connection = try Connection(path: path, mode: .readWriteCreate, busyTimeout: busyTimeout)
        // Before anything is changed: a file that is not ours must stay as it is.
        try LocalSchema.version(of: connection)
        guard try connection.useWriteAheadLog(within: busyTimeout) else {
            throw LocalStoreError(.other, detail: "\(path) is on a file system without shared memory")
        }
        // Nothing of a person's may be spilled into a temporary file.
        try connection.execute(
            """
            PRAGMA synchronous = NORMAL;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -4000;
            PRAGMA wal_autocheckpoint = \(checkpointPages);
            PRAGMA journal_size_limit = 8388608
            """)
        try LocalSchema.migrate(connection)
        return connection
    }

    /// Opens the file, which must exist, for reading.
    func openReader(busyTimeout: Duration) throws -> sending Connection {
        let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
        try connection.execute("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -6000")
        return connection
    }

    /// Removes the file and what is beside it.
    ///
    /// The log of writes goes first: without it the rest cannot become newer again.
    func erase() throws(LocalStoreError) {
        for ending in ["-wal", "-shm", "-device", ""] where FileManager.default.fileExists(atPath: path + ending) {
            do { try FileManager.default.removeItem(atPath: path + ending) } catch {
                throw LocalStoreError(.other, detail: "\(path + ending) cannot be removed: \(error)")
            }
        }
    }

    /// Makes the folder and the empty file, for this user alone; SQLite would let others read them.
    private func make() throws(LocalStoreError) {
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw LocalStoreError(.other, detail: "\(folder) cannot be made: \(error)")
        }
        if files.fileExists(atPath: path) { return }
        // Where this fails, opening fails too, and says why.
        _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
}
