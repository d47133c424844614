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
var updates = chat.updates().makeAsyncIterator()
let running = Task { await chat.run() }

// What an earlier run asked is here, whatever became of that run.
var conversation = try await chat.list(limit: 1).first?.id
if conversation == nil { conversation = try await chat.send(arguments[4], in: nil).conversation }

var shown = ""
repeat {
    guard let conversation, let tree = try await chat.tree(conversation), let last = tree.path.last?.answer,
        let answer = tree.answers[last]?.answer
    else { continue }
    // An answer only ever grows.
    print(answer.text.dropFirst(shown.count), terminator: "")
    fflush(nil)
    shown = answer.text
    if answer.state.end != nil { break }
} while await updates.next() != nil

print()
running.cancel()
await running.value
