#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A small file that only its owner may read, replaced as a whole or grown by lines.
///
/// A reader sees the old content or the new, never half of one. Changes made from several processes come one after the
/// other, so that none undoes another's. A few hundred bytes are read and written at the speed of a person's decisions;
/// that is why this needs no thread of its own.
struct PrivateFile: Sendable {
    let path: String

    /// More than any of these files grows to; a larger one is not ours.
    static let maximumSize = 4 << 20

    /// Why a file could not be used: what was being done, and the system's number.
    struct Fault: Error {
        let errno: Int32
    }

    /// What tells one content from another without reading: the name is given to a new file at each replacement.
    struct Stamp: Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    /// The stamp of the content that is there; `nil` where there is no file.
    func stamp() throws(Fault) -> Stamp? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw Fault(errno: errno)
        }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Stamp(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int(time.tv_sec),
            nanoseconds: Int(time.tv_nsec))
    }

    /// The content; `nil` where there is no file.
    func read() throws(Fault) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Fault(errno: errno)
        }
        defer { _ = close(descriptor) }
        return try Self.content(of: descriptor)
    }

    /// Replaces the content by what `change` makes of it, or leaves it if `change` throws.
    func update<Failure: Error>(
        _ change: ([UInt8]?) throws(Failure) -> [UInt8], orElse wrap: (Fault) -> Failure
    ) throws(Failure) {
        do {
            try makeFolder()
        } catch { throw wrap(error) }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw wrap(Fault(errno: errno)) }
        defer { _ = close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw wrap(Fault(errno: errno)) }
        }
        let before: [UInt8]?
        do { before = try read() } catch { throw wrap(error) }
        let after = try change(before)
        do { try replace(with: after) } catch { throw wrap(error) }
    }

    /// Adds bytes at the end; if the file would grow beyond `limit`, what is there becomes the file before it.
    func append(_ bytes: [UInt8], limit: Int) throws(Fault) {
        if let stamp = try stamp(), stamp.size + Int64(bytes.count) > Int64(limit) {
            guard rename(path, path + ".before") == 0 else { throw Fault(errno: errno) }
        } else {
            try makeFolder()
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        defer { _ = close(descriptor) }
        try Self.write(bytes, to: descriptor)
    }

    /// Writes beside the file and takes the file's name at the end; only while the lock is held.
    private func replace(with bytes: [UInt8]) throws(Fault) {
        let beside = path + ".new"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        do {
            defer { _ = close(descriptor) }
            guard fchmod(descriptor, 0o600) == 0 else { throw Fault(errno: errno) }
            try Self.write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw Fault(errno: errno) }
        }
        guard rename(beside, path) == 0 else { throw Fault(errno: errno) }
    }

    private func makeFolder() throws(Fault) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        guard access(folder, F_OK) != 0 else { return }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Fault(errno: errno) }
    }

    private static func content(of descriptor: Int32) throws(Fault) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw Fault(errno: errno)
            }
            content.append(contentsOf: buffer[..<count])
            guard content.count <= maximumSize else { throw Fault(errno: EFBIG) }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Fault(errno: errno)
            }
            rest = rest.dropFirst(count)
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
