import Foundation
import Synchronization

/// Writes one line of JSON a note, for operators.
///
/// Values come from closed lists: codes, counts, routes, types.
///
/// No prompt, answer, file name or token belongs here; a name that a person chose does not either.
package struct Logger: Sendable {
    /// How much is said.
    package enum Level: Int, Sendable, Comparable {
        case debug, info, notice, error

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The level that a note needs to be written; a reload changes it.
    package let least: Reloadable<Level>
    private let write: @Sendable (String) -> Void

    /// Writes notes of at least a level through `write`, one whole line a call.
    package init(least: Level, write: @escaping @Sendable (String) -> Void) {
        self.least = Reloadable(least)
        self.write = write
    }

    /// Notes something under a fixed name.
    package func log(_ level: Level, _ name: StaticString, _ values: [String: String] = [:]) {
        guard level >= least.value else { return }
        var line = #"{"level":"\#(level)","note":"\#(name)""#
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { line += #","\#(key)":"\#(Self.escape(value))""# }
        write(line + "}\n")
    }

    private static func escape(_ value: String) -> String {
        var escaped = ""
        for character in value.unicodeScalars.prefix(200) {
            if character == "\"" || character == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(character.value < 0x20 ? " " : character)
        }
        return escaped
    }

    /// Lines on standard error.
    package static func standardError(least: Level) -> Logger {
        Logger(least: least) { line in
            // One write a line, so that lines of several threads do not mix.
            FileHandle.standardError.write(Data(line.utf8))
        }
    }
}

extension Configuration.LogLevel {
    /// The level that a note needs to be written.
    package var least: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .notice
        case .error: .error
        }
    }
}
