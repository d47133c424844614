#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is only appended to, and is on the disk when a call returns.
struct LedgerFile: ~Copyable {
    private let descriptor: Int32

    init(path: String) throws(FileCommitLedger.FileError) {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC
        descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw .system(code: errno) }
        // A new file is there after a crash only once its folder is on the disk as well.
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let parent = open(folder, O_RDONLY | O_CLOEXEC)
        if parent >= 0 {
            _ = fsync(parent)
            _ = close(parent)
        }
    }

    deinit { _ = close(descriptor) }

    /// Runs while no other process writes.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw FileCommitLedger.FileError.system(code: errno) }
        }
        defer { _ = flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// What the file holds from a place on.
    func rest(from offset: Int) throws(FileCommitLedger.FileError) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(offset + bytes.count))
            if count < 0 {
                guard errno == EINTR else { throw .system(code: errno) }
            } else if count == 0 {
                return bytes[...]
            } else {
                bytes += buffer[..<count]
            }
        }
    }

    /// Appends bytes and waits until the disk has them.
    func append(_ bytes: [UInt8]) throws(FileCommitLedger.FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw .system(code: errno) }
            } else {
                rest = rest.dropFirst(count)
            }
        }
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw .system(code: errno) }
        }
    }
}
