import Foundation
import RejoinClient
import RejoinCore

// keep-the-answer ADDRESS TOKEN FOLDER PROMPT
//
// Sends a prompt and shows the answer as it comes. Kill it whenever you like and run it again: it shows what was
// there, then the rest, and the prompt was sent once.
let arguments = CommandLine.arguments
guard arguments.count == 5 else { exit(64) }

// One file for each account, under an id that the app chose.
let location = ConversationClient.Location(folder: arguments[3], account: ID(high: 0, low: 1))
let server = RejoinClient(address: arguments[1], token: arguments[2], transport: CurlTransport())
let chat = try await ConversationClient.open(location, client: server)

// Sends, follows, synchronises, and takes up what an earlier run left unfinished.
let running = Task { await chat.run() }

// What an earlier run asked is here, whatever became of that run.
let earlier = try await chat.list(limit: 1).first?.id
let conversation = if let earlier { earlier } else { try await chat.send(arguments[4], in: nil).conversation }
try await show(conversation, of: chat)
running.cancel()
await running.value

func show(_ conversation: ConversationID, of chat: ConversationClient) async throws {
    var updates = chat.updates().makeAsyncIterator()
    var shown = ""
    repeat {
        guard let tree = try await chat.tree(conversation),
            let last = tree.path.last?.answer.flatMap({ tree.answers[$0] })
        else { continue }
        // An answer only ever grows.
        print(last.answer.text.dropFirst(shown.count), terminator: "")
        fflush(nil)
        shown = last.answer.text
        if last.answer.state.end != nil { return print() }
    } while await updates.next() != nil
}
