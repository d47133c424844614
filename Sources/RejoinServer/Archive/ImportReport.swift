import RejoinCore

/// What an import did, and every part that it could not take.
package struct ImportReport: Equatable, Sendable {
    /// A part that was left out.
    package struct Fault: Equatable, Sendable {
        /// Why, from a closed list.
        package enum Reason: String, Sendable, CaseIterable {
            /// The bytes are not JSON, or end within it.
            case notJSON = "not-json"
            case cutShort = "cut-short"
            case tooLarge = "too-large"
            case tooDeep = "too-deep"
            /// JSON of no export that is known.
            case unknownShape = "unknown-shape"
            /// A conversation without a name of its own, so that it could not be known again.
            case noID = "no-id"
            /// A message without text, of a role or of a kind that has no place here.
            case unreadableMessage = "unreadable-message"
            case unknownContent = "unknown-content"
            /// The message that this one answers is not in the export: it was kept, at the beginning.
            case missingParent = "missing-parent"
            /// Messages that answer each other in a ring.
            case ring
            /// A conversation in which nothing was said.
            case empty
            /// The account has as many facts as are kept.
            case noRoom = "no-room"
            /// The archive says that there is more in it than was found.
            case incomplete
        }

        /// Which value of the file, from 1.
        package var value: Int
        /// The part's own id in the export, if it has one and it is short and plain.
        package var id: String?
        package var reason: Reason

        package init(value: Int, id: String?, reason: Reason) {
            self.value = value
            let isPlain = { (scalar: Unicode.Scalar) in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-")
            }
            self.id = id.flatMap { $0.utf8.count <= 64 && $0.unicodeScalars.allSatisfy(isPlain) ? $0 : nil }
            self.reason = reason
        }
    }

    /// Conversations of which something was added.
    package var conversations = 0
    package var turns = 0
    package var answers = 0
    package var facts = 0
    /// Conversations of which everything was here already.
    package var unchanged = 0
    /// How many parts were left out.
    package var faultCount = 0
    /// The first of them: a bound on what is kept, not on what is counted.
    package private(set) var faults: [Fault] = []
    private static let keptFaults = 1000

    package init() {}

    /// Notes a part that was left out.
    package mutating func note(_ fault: Fault) {
        faultCount += 1
        if faults.count < Self.keptFaults { faults.append(fault) }
    }

    /// The report as a task shows it.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        let counts = [
            ("conversations", conversations), ("turns", turns), ("answers", answers), ("facts", facts),
            ("unchanged", unchanged),
            ("left_out", faultCount),
        ]
        for (name, count) in counts {
            json.name(name)
            json.integer(count)
        }
        json.name("faults")
        json.beginArray()
        for fault in faults {
            json.beginObject()
            json.name("value")
            json.integer(fault.value)
            json.member("id", fault.id)
            json.member("reason", fault.reason.rawValue)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
