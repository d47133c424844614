internal import Foundation
internal import HTTPServer
internal import Glibc

/// An archive that is being written: compressed, private to its owner, and there only once it is whole.
package struct ArchiveWriter: ~Copyable {
    private let path: String
    private let file: FileHandle
    private let encoder: GzipEncoder
    private var buffer: [UInt8] = []
    /// How many bytes the file has.
    package private(set) var size = 0
    private var isFinished = false

    /// Begins an archive beside its place.
    ///
    /// - Throws: an error of the file system.
    package init(path: String) throws {
        let file = try Self.create(path + ".part")
        guard let encoder = GzipEncoder() else { throw CocoaError(.fileWriteUnknown) }
        self.file = file
        self.path = path
        self.encoder = encoder
    }

    private static func create(_ part: String) throws -> FileHandle {
        unlink(part)
        guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return try FileHandle(forWritingTo: URL(filePath: part))
    }

    deinit {
        try? file.close()
        if !isFinished { unlink(path + ".part") }
    }

    /// Adds bytes.
    package mutating func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 64 << 10 { try compress() }
    }

    private mutating func compress() throws {
        var written = 0
        try encoder.write(buffer) { [file] piece in
            try file.write(contentsOf: piece)
            written += piece.count
        }
        size += written
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the archive and puts it in its place.
    package mutating func finish() throws {
        try compress()
        var written = 0
        try encoder.finish { [file] piece in
            try file.write(contentsOf: piece)
            written += piece.count
        }
        size += written
        try file.synchronize()
        guard rename(path + ".part", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        isFinished = true
    }
}

/// A file to import, read piece by piece, compressed or not.
package struct ArchiveReader: ~Copyable {
    /// Why a file cannot be read.
    package enum Failure: Error, Equatable {
        /// A ZIP archive: its files have to be taken out first.
        case zip
        /// Compressed, and damaged or cut short.
        case damaged
    }

    private let file: FileHandle
    private var decoder: GzipDecoder?
    private var compressed: [UInt8] = []
    private var position = 0
    /// How many bytes of the file were read.
    package private(set) var bytesRead = 0
    /// How many bytes the file has.
    package let size: Int

    /// How much is read at once; compressed bytes are taken in smaller pieces, for they can be a thousand times as much.
    private static let (chunk, compressedPiece) = (256 << 10, 4 << 10)

    /// Opens a file and looks at its first bytes.
    ///
    /// - Throws: ``Failure``, or an error of the file system.
    package init(path: String) throws {
        let opened = try Self.open(path)
        file = opened.file
        size = opened.size
        decoder = opened.isCompressed ? GzipDecoder() : nil
    }

    private static func open(_ path: String) throws -> (file: FileHandle, size: Int, isCompressed: Bool) {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 0)
        let first = [UInt8](try file.read(upToCount: 4) ?? Data())
        if first == [0x50, 0x4B, 3, 4] { throw Failure.zip }
        try file.seek(toOffset: 0)
        return (file, size, first.starts(with: [0x1F, 0x8B]))
    }

    deinit { try? file.close() }

    /// The next bytes of what the file holds; nil at its end.
    package mutating func next() throws -> [UInt8]? {
        guard decoder != nil else { return try readChunk() }
        var plain: [UInt8] = []
        while plain.isEmpty {
            if position >= compressed.count {
                guard let chunk = try readChunk() else {
                    guard decoder?.isWhole == true else { throw Failure.damaged }
                    return nil
                }
                (compressed, position) = (chunk, 0)
            }
            let end = min(position + Self.compressedPiece, compressed.count)
            do {
                try decoder?.read(Array(compressed[position..<end])) { plain += $0 }
            } catch is GzipDecoder.Damaged {
                throw Failure.damaged
            }
            position = end
        }
        return plain
    }

    private mutating func readChunk() throws -> [UInt8]? {
        guard let data = try file.read(upToCount: Self.chunk), !data.isEmpty else { return nil }
        bytesRead += data.count
        return [UInt8](data)
    }
}
