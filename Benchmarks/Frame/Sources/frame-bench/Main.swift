import Observation
import RejoinClient
import RejoinCore
import RejoinTestKit

/// `frame-bench fold|model BYTES`: microseconds that a frame costs at the end of an answer of so many bytes.
@main @MainActor
struct FrameBench {
    /// Before the frames that are measured there is the same number of events, whatever the length: what is told of the
    /// length is the length alone.
    private static let eventsBefore = 200
    private static let frames = 2000
    private static let piece = "a few words "

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let bytes = Int(arguments[2]), bytes >= eventsBefore else {
            fatalError("usage: frame-bench fold|model BYTES")
        }
        let filling = String(repeating: "word ", count: bytes / eventsBefore / 5 + 1).prefix(bytes / eventsBefore)
        switch arguments[1] {
        case "fold": print(fold(String(filling)))
        default: print(try await model(String(filling)))
        }
    }

    /// The answer alone: a piece comes while the screen holds the answer as it was, and what is new is shown and spoken.
    private static func fold(_ filling: String) -> Double {
        var answer = Answer(id: AnswerID(high: 1, low: 1), turn: TurnID(high: 1, low: 2))
        func say(_ text: String) { answer.apply(NumberedEvent(seq: answer.seq + 1, event: .text(text))) }
        for _ in 0..<eventsBefore { say(filling) }
        var announcer = Announcer(after: answer)
        var shown = answer
        var drawn = WholeCharacters.shown(of: answer.words, mayGrow: true)
        var bytes = 0
        let duration = ContinuousClock().measure {
            for _ in 0..<frames {
                say(piece)
                shown = answer
                bytes += announcer.update(shown).count
                let next = WholeCharacters.shown(of: shown.words, mayGrow: true)
                guard next.begins(with: drawn), let rest = next.rest(after: drawn.utf8Count) else {
                    fatalError("the text was replaced")
                }
                bytes += rest.utf8.count
                drawn = next
            }
        }
        precondition(bytes > 0)
        return duration / .microseconds(frames)
    }

    /// The whole way: a server in memory says a piece, and a frame later the model shows it.
    private static func model(_ filling: String) async throws -> Double {
        let server = ScriptedServer(pace: .whenTold) { _ in [] }
        let client = ConversationClient(client: server.client(), store: .temporary())
        var options = ModelOptions()
        options.ticker = Immediately()
        let conversation = ConversationModel(client: client, conversation: nil, options: options)
        let composer = ComposerModel(conversation)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask { await conversation.run() }
            defer { group.cancelAll() }
            composer.text = "Go on"
            await composer.send()
            guard let answer = conversation.exchanges.last?.answer else { fatalError("nothing was sent") }
            while server.runs.isEmpty { await Task.yield() }
            server.append((0..<eventsBefore).map { _ in .text(filling) }, to: answer.id)
            while answer.answer.seq < eventsBefore { await Task.yield() }
            var drawn = answer.words
            let duration = await ContinuousClock().measure {
                for _ in 0..<frames {
                    await change(of: answer) { server.append([.text(piece)], to: answer.id) }
                    let next = answer.words
                    guard next.begins(with: drawn), next.rest(after: drawn.utf8Count) != nil else {
                        fatalError("the text was replaced")
                    }
                    drawn = next
                }
            }
            return duration / .microseconds(frames)
        }
    }

    /// Does something, and waits until it changes what is shown of an answer.
    private static func change(of answer: AnswerModel, _ body: () -> Void) async {
        let (changes, signal) = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = answer.words
        } onChange: {
            signal.finish()
        }
        body()
        for await _ in changes {}
    }
}

/// Every change is a frame of its own.
private struct Immediately: FrameTicker {
    func nextFrame() async throws { try Task.checkCancellation() }
}
