import RejoinClient
import RejoinCore

/// Conversations that look like those of a person who asks much: the same for the same seed.
struct Corpus {
    private var state: UInt64

    /// Three years up to the middle of 2026.
    static let begin = Int64(1_690_000_000_000)
    static let end = Int64(1_780_000_000_000)

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func id<Kind>(at time: Timestamp) -> ID<Kind> { ID(at: time, random: (next(), next())) }

    /// A word: few are common and most are rare, as in a language.
    private mutating func word() -> String {
        let share = Double(next() % 1_000_000) / 1_000_000
        var rank = UInt64(40_000 * share * share * share)
        let syllables: [StaticString] = [
            "ka", "to", "re", "mi", "so", "lu", "ne", "pa", "vi", "do", "sa", "be", "gu", "ri", "ho", "te",
        ]
        var word = ""
        repeat {
            word += "\(syllables[Int(rank % 16)])"
            rank /= 16
        } while rank > 0
        return word
    }

    mutating func text(words: Int) -> String {
        var text = ""
        for index in 0..<words {
            if index > 0 { text += index % 12 == 0 ? ". " : " " }
            text += next() % 400 == 0 ? "東京の天気" : word()
        }
        return text
    }

    mutating func turn(after parent: AnswerID?, at time: Timestamp) -> ServerTurn {
        let turn: TurnID = id(at: time)
        let answer = Answer(
            id: id(at: time), turn: turn, state: .ended(.init(.done, .complete)), seq: 60,
            content: [.text(text(words: 60))], model: Event.Model("small", placement: .server),
            usage: Event.Usage(inputTokens: 20, outputTokens: 80, isEstimated: false))
        return ServerTurn(
            id: turn, parent: parent, content: [.text(text(words: 12))], createdAt: time, answers: [answer])
    }

    mutating func conversation(_ number: Int, of count: Int, turns: Int) -> ServerTree {
        let step = (Self.end - Self.begin) / Int64(count)
        let start = Self.begin + step * Int64(number)
        var made: [ServerTurn] = []
        for turn in 0..<turns {
            let time = Timestamp(milliseconds: start + Int64(turn) * 60_000)
            made.append(self.turn(after: made.last?.answers.last?.id, at: time))
        }
        let line = ServerConversation(
            id: id(at: Timestamp(milliseconds: start)), title: text(words: 5),
            updatedAt: Timestamp(milliseconds: start + Int64(turns) * 60_000))
        return ServerTree(conversation: line, turns: made, selected: made.last?.answers.last?.id)
    }
}
