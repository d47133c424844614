#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A configuration file's name and contents.
struct ConfigurationFile {
    /// A mebibyte: far more than a configuration needs.
    static let maximumBytes = 1_048_576

    /// The path as it was given.
    let path: String
    let bytes: [UInt8]

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Reads a file.
    init(path: String) throws(ConfigurationError) {
        let bytes = try Self.read(path, at: path)
        guard bytes.count <= Self.maximumBytes else {
            throw ConfigurationError(at: path, "the file is larger than \(Self.maximumBytes) bytes")
        }
        self.init(path: path, bytes: bytes)
    }

    /// The folder that its relative paths start from; empty for the working folder.
    var folder: String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
    }

    /// A place in the file as the person sees it: `rejoin.json5:7:3`.
    func place(_ position: JSON5.Position) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return "\(name):\(position.line):\(position.column)"
    }

    /// A file's bytes, or why there are none, told at a place.
    ///
    /// The path is not shown: where a key was meant to be named, it may be the key.
    static func read(_ path: String, at place: String) throws(ConfigurationError) -> [UInt8] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            let isMissing = (error as? CocoaError)?.code == .fileReadNoSuchFile
            throw ConfigurationError(at: place, isMissing ? "there is no such file" : "the file cannot be read")
        }
        return [UInt8](data)
    }
}
