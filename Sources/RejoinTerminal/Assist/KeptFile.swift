#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinAssist

/// A file of the person's that is only ever replaced as a whole, and whose first content stays beside it.
struct KeptFile: Sendable {
    /// Why a file was not read or written, in words for the person.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The file itself; where a link was named, what it leads to.
    let path: String
    /// Where the content is kept that was there before.
    var backup: String { path + ".before" }

    /// More than this is no text that is rewritten at a terminal.
    static let limit = 4 << 20

    init(_ path: String) {
        self.path = URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// The file's text.
    func read() throws(Failure) -> String {
        let name = HarmlessText.line(path)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "\(name) cannot be read")
        }
        guard data.count <= Self.limit else {
            throw Failure(description: "\(name) has more than \(Self.limit >> 20) MiB")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Failure(description: "\(name) is not text in UTF-8")
        }
        return text
    }

    /// Replaces the file's content if it still is what it was; the permissions stay.
    ///
    /// - Throws: ``CommitFailure/originalChanged`` if the file was changed meanwhile, or `Failure`; then nothing was written.
    ///
    /// - Parameter first: what is kept beside it; what was there before any of this.
    func replace(_ before: String, with after: String, keeping first: String) throws {
        guard try read() == before else { throw CommitFailure.originalChanged }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        try Data(first.utf8).write(to: URL(filePath: backup), options: .atomic)
        try Data(after.utf8).write(to: URL(filePath: path), options: .atomic)
        if let permissions = attributes[.posixPermissions] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        }
    }
}

/// A file that a command makes; one that is there already is not written over.
struct NewFile: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    /// Writes the text.
    ///
    /// - Throws: if there is such a file, or it cannot be made; then nothing was written.
    func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
    }
}
