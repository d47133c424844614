import RejoinCore

/// What a ``ScriptedUpstream`` answers to one request, byte for byte.
package struct Script: Sendable, Equatable {
    /// How the end of the body is told.
    package enum Framing: String, Sendable {
        /// Each step's bytes are one HTTP chunk; the connection is kept.
        case chunked
        /// By closing the connection.
        case untilClose = "until-close"
        /// By a length: the steps' bytes are counted first, so they must hold them all.
        case length
        /// Nothing is added, no head either: the steps' bytes are the whole reply.
        case raw
    }

    /// One thing to do, one after the other.
    package enum Step: Sendable, Equatable {
        /// Sends bytes in one go.
        case bytes([UInt8])
        /// Sends bytes cut into pieces of that many, each by itself.
        case dribble([UInt8], size: Int)
        case wait(milliseconds: Int)
        /// Waits until the test releases this name.
        case hold(String)
        /// Sends chat chunks "tok0 ", "tok1 " … at a steady rate.
        case paced(pieces: Int, perSecond: Double)
        /// Ends the body as its framing asks.
        case end
        /// Closes the connection in order, wherever the body is.
        case close
        /// Resets the connection.
        case cut
    }

    package var status = 200
    package var fields: [(name: String, value: String)] = [("Content-Type", "text/event-stream; charset=utf-8")]
    package var framing = Framing.chunked
    package var steps: [Step]

    /// Makes a streamed reply of steps.
    package init(_ steps: [Step], framing: Framing = .chunked) {
        self.steps = steps
        self.framing = framing
    }

    /// Makes a JSON reply.
    package init(status: Int, json: String, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.fields = [("Content-Type", "application/json")] + fields
        framing = .length
        steps = [.bytes(Array(json.utf8)), .end]
    }

    package static func == (left: Script, right: Script) -> Bool {
        left.status == right.status && left.framing == right.framing && left.steps == right.steps
            && left.fields.map { [$0.name, $0.value] } == right.fields.map { [$0.name, $0.value] }
    }
}

// What an OpenAI-compatible server would say.
extension Script.Step {
    /// Sends text as it is.
    package static func send(_ text: String) -> Self { .bytes(Array(text.utf8)) }

    /// Sends one `data:` event.
    package static func event(_ data: String) -> Self { .send("data: \(data)\n\n") }

    /// Sends a chat chunk with a piece of the answer.
    package static func text(_ piece: String) -> Self { .bytes(chunk(delta: "content", piece)) }

    /// Sends a chat chunk with a piece of the reasoning.
    package static func reasoning(_ piece: String) -> Self { .bytes(chunk(delta: "reasoning_content", piece)) }

    /// Sends the chunk that tells why the answer ends.
    package static func finish(_ reason: String) -> Self {
        .event(
            #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","#
                + #""choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"\#(reason)"}]}"#)
    }

    /// Sends the usage chunk.
    package static func usage(input: Int, output: Int) -> Self {
        .event(
            #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","choices":[],"#
                + #""usage":{"prompt_tokens":\#(input),"completion_tokens":\#(output),"#
                + #""total_tokens":\#(input + output)}}"#)
    }

    /// Sends the end marker.
    package static let done = Self.event("[DONE]")

    static func chunk(delta name: String, _ piece: String) -> [UInt8] {
        var bytes = Array(
            (#"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","#
                + #""choices":[{"index":0,"delta":{"\#(name)":"#).utf8)
        JSONWriter.append(piece, to: &bytes)
        bytes.append(contentsOf: "},\"logprobs\":null,\"finish_reason\":null}]}\n\n".utf8)
        return bytes
    }
}

extension Script {
    /// A whole answer in pieces, with its usage and its end marker.
    package static func answer(_ pieces: [String]) -> Script {
        Script(
            pieces.map(Step.text) + [.finish("stop"), .usage(input: 7, output: pieces.count), .done, .end])
    }
}
