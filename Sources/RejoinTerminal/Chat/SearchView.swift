package import RejoinClient
package import RejoinCore

/// A search as it is being typed.
package struct SearchView: Equatable, Sendable {
    /// A place where the words were found.
    package struct Hit: Equatable, Sendable {
        package var conversation: ConversationID
        package var turn: TurnID?
        package var title: String
        /// Words around the place; what was found stands in the odd pieces.
        package var snippet: [String]

        /// Names a place.
        package init(conversation: ConversationID, turn: TurnID?, title: String, snippet: [String]) {
            self.conversation = conversation
            self.turn = turn
            self.title = title
            self.snippet = snippet
        }

        /// A hit with what was found set apart.
        package init(_ hit: SearchHit) {
            var pieces: [String] = []
            let bytes = Array(hit.snippet.utf8)
            var position = 0
            for match in hit.matches {
                let match = match.clamped(to: position..<max(bytes.count, position))
                pieces.append(String(decoding: bytes[position..<match.lowerBound], as: UTF8.self))
                pieces.append(String(decoding: bytes[match], as: UTF8.self))
                position = match.upperBound
            }
            pieces.append(String(decoding: bytes[position...], as: UTF8.self))
            self.init(conversation: hit.conversation, turn: hit.turn, title: hit.title, snippet: pieces)
        }
    }

    package var words = LineEditor()
    package var hits: [Hit] = []
    /// What the hits were found for; nil before the first answer.
    package var found: String?
    package var position = 0
}
