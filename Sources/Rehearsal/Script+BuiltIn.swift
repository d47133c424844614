import RejoinCore

extension Script {
    /// The scripts that a model's name alone asks for, as the tool's help lists them.
    package static let builtInNames = """
        paced-N-R        N pieces at R a second ("tok0 tok1 …")
        think-S          S seconds of silence, then an answer
        hold-N           N pieces, then silence until /release
        echo-path        answers with the messages it was sent, as JSON
        reasoning-N      N pieces of reasoning, then an answer
        length-N         N pieces, ended by the output limit
        filter-N         N pieces, ended by the content filter
        error-STATUS     that status; error-STATUS-T adds Retry-After: T
        flaky-K-STATUS   that status K times, then an answer
        error-after-N    N pieces, then an error inside the stream
        cut-N            N pieces, then a reset
        close-N          N pieces, then the end of the body without its marker
        empty            a stream with its end marker and nothing else
        anything else    a short answer
        """

    /// The script that a model's name asks for.
    ///
    /// - Parameters:
    ///   - messages: the request's messages, for `echo-path`.
    ///   - attempt: how often this name has been asked for, from 1, for `flaky`.
    static func builtIn(_ name: String, messages: JSONValue?, attempt: Int) -> Script {
        let parts = name.split(separator: "-").map(String.init)
        func number(_ position: Int) -> Int { position < parts.count ? max(0, Int(parts[position]) ?? 0) : 0 }
        func pieces(_ count: Int) -> [Step] { (0..<count).map { .text("tok\($0) ") } }
        func ending(_ reason: String, _ count: Int) -> [Step] {
            [.finish(reason), .usage(input: 7, output: count), .done, .end]
        }
        switch parts.first {
        case "paced":
            let rate = parts.count > 2 ? Double(parts[2]) ?? 20 : 20
            return Script([.paced(pieces: number(1), perSecond: max(rate, 0.01))] + ending("stop", number(1)))
        case "think":
            let seconds = parts.count > 1 ? Double(parts[1]) ?? 0 : 0
            return Script(
                [.wait(milliseconds: Int(seconds * 1000)), .text("Thought "), .text("it through.")] + ending("stop", 2))
        case "hold":
            return Script(pieces(number(1)) + [.hold("hold"), .text("released")] + ending("stop", number(1) + 1))
        case "echo" where name == "echo-path":
            var json = JSONWriter()
            json.value(messages ?? .null)
            let text = String(decoding: json.bytes, as: UTF8.self)
            return .answer(text.split(every: 16))
        case "reasoning":
            return Script(
                (0..<number(1)).map { .reasoning("thought\($0) ") } + [.text("So: "), .text("yes.")] + ending("stop", 2)
            )
        case "length": return Script(pieces(number(1)) + ending("length", number(1)))
        case "filter": return Script(pieces(number(1)) + ending("content_filter", number(1)))
        case "error" where parts.count > 1 && parts[1] == "after":
            return Script(pieces(number(2)) + [.event(errorBody(500)), .end])
        case "error" where number(1) >= 400:
            return error(number(1), retryAfter: parts.count > 2 ? parts[2] : nil)
        case "flaky" where number(2) >= 400 && attempt <= number(1): return error(number(2), retryAfter: nil)
        case "cut": return Script(pieces(number(1)) + [.cut])
        case "close": return Script(pieces(number(1)) + [.end])
        case "empty": return Script([.done, .end])
        default: return .answer(["This ", "is ", "a ", "scripted ", "answer."])
        }
    }

    private static func error(_ status: Int, retryAfter: String?) -> Script {
        Script(status: status, json: errorBody(status), fields: retryAfter.map { [("Retry-After", $0)] } ?? [])
    }

    /// An error in the shape of an OpenAI-compatible server, its words easy to find where they should not be.
    private static func errorBody(_ status: Int) -> String {
        #"{"error":{"message":"upstream-canary \#(status)","type":"scripted_error","param":null,"code":null}}"#
    }
}

extension String {
    /// Cuts the text into pieces of so many characters.
    func split(every size: Int) -> [String] {
        var pieces: [String] = []
        var rest = self[...]
        while !rest.isEmpty {
            pieces.append(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}
