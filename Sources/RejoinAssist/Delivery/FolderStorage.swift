#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Keeps models in a folder, each under its own name, the part beside it as `NAME.part`.
public struct FolderStorage: DeliveryStorage {
    /// The storage refused; the system's number of the reason.
    public struct Failure: Error, Sendable, Hashable {
        /// The number, as `errno` has it.
        public let code: Int32
    }

    private let folder: String

    /// Names a folder; it is made when first needed.
    public init(folder: String) { self.folder = folder }

    /// Where the whole file is, or will be.
    public func path(of name: String) -> String { folder + "/" + Self.plain(name) }

    public func installedBytes(_ name: String) -> Int? { Self.size(path(of: name)) }
    public func partBytes(_ name: String) -> Int { Self.size(part(name)) ?? 0 }

    public func freeBytes() -> Int? {
        // A folder that is not there has no file system to ask.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let system = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        if let free = system?[.systemFreeSize] as? UInt64 { return Int(clamping: free) }
        return system?[.systemFreeSize] as? Int
    }

    public func append(_ bytes: [UInt8], to name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = try Self.open(part(name), O_WRONLY | O_CREAT | O_APPEND)
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Failure(code: errno)
            }
            done += count
        }
    }

    public func read(_ name: String, from offset: Int, count: Int) throws -> [UInt8] {
        let file = try Self.open(part(name), O_RDONLY)
        defer { close(file) }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = pread(file, buffer.baseAddress, count, off_t(offset))
            if got < 0 { failure = errno }
            filled = max(0, got)
        }
        guard failure == 0 else { throw Failure(code: failure) }
        return bytes
    }

    public func install(_ name: String) throws {
        let file = try Self.open(part(name), O_WRONLY)
        let isDurable = fsync(file) == 0
        let code = errno
        close(file)
        guard isDurable else { throw Failure(code: code) }
        guard rename(part(name), path(of: name)) == 0 else { throw Failure(code: errno) }
    }

    public func discardPart(_ name: String) throws { try Self.delete(part(name)) }

    public func remove(_ name: String) throws {
        try Self.delete(path(of: name))
        try Self.delete(part(name))
    }

    private func part(_ name: String) -> String { path(of: name) + ".part" }

    /// A name cannot lead out of the folder.
    private static func plain(_ name: String) -> String {
        let plain = String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        return plain == "." || plain == ".." || plain.isEmpty ? "_" : plain
    }

    private static func open(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
        #if canImport(Glibc)
        let file = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
        let file = Musl.open(path, flags | O_CLOEXEC, 0o600)
        #else
        let file = Darwin.open(path, flags | O_CLOEXEC, 0o600)
        #endif
        guard file >= 0 else { throw Failure(code: errno) }
        return file
    }

    private static func delete(_ path: String) throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(code: errno) }
    }

    private static func size(_ path: String) -> Int? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Int(info.st_size)
    }
}
