import BenchCore

/// What the command line asks for.
struct Plan: Sendable {
    /// The protocol that the target speaks.
    enum Route: String {
        /// A chat-completions stream: the upstream itself, any gateway, or our compatible endpoint.
        case chat
        /// Our own: a turn is put under the client's id, and its events are numbered.
        case native
    }

    let port: UInt16
    let route: Route
    /// The path of chat completions.
    let path: String
    let token: String
    /// The model's name in the request.
    let model: String
    /// What the upstream will make of it.
    let shape: Shape
    /// Answers at a time.
    let streams: Int
    /// Milliseconds over which their first starts are spread.
    let ramp: Int
    /// Answers one after another in each stream.
    let rounds: Int
    /// If above 0, new answers begin for so many seconds, whatever `rounds` says.
    let seconds: Int
    /// Turns in one conversation before the next is begun.
    let turns: Int
    /// More readers of each answer.
    let followers: Int
    /// Answers to read instead of asking for new ones.
    let attached: [String]
    /// If above 0, a reader leaves after so many pieces.
    let until: Int
    /// Whether a dropped stream is taken up again, and a refused request repeated.
    let resumes: Bool
    /// How often each answer's stream is cut on purpose.
    let cuts: Int
    /// Whether to end when standard input does, and not when all answers have.
    let holds: Bool
    /// Whether to begin nothing new once standard input has ended.
    let drains: Bool
    /// Whether to print the ids of turns and answers once all are open.
    let lists: Bool
    /// Where to write everything that was seen.
    let history: String?
    let seed: UInt64
    /// Seconds after which the run ends in any case.
    let timeout: Int

    static let names: Set<String> = [
        "port", "route", "path", "token", "model", "shape", "streams", "ramp", "rounds", "seconds", "turns",
        "followers", "attach", "until", "resume", "cuts", "hold", "drain", "list", "history", "seed", "timeout",
    ]

    init(_ options: Options) throws(Options.Failure) {
        let name = options.text("model") ?? "bench-n128-r20-d200"
        guard let shape = Shape(model: options.text("shape") ?? name) else {
            throw Options.Failure(description: "--shape is not bench-n…-r…-d…")
        }
        guard let route = Route(rawValue: options.text("route") ?? "chat") else {
            throw Options.Failure(description: "--route is chat or native")
        }
        port = UInt16(clamping: try options.number("port", default: 0))
        self.route = route
        self.shape = shape
        path = options.text("path") ?? "/v1/chat/completions"
        token = options.text("token") ?? "none"
        model = name
        attached = (options.text("attach") ?? "").split(separator: ",").map(String.init)
        streams = attached.isEmpty ? try options.number("streams", default: 1) : attached.count
        ramp = try options.number("ramp", default: 0)
        rounds = try options.number("rounds", default: 1)
        seconds = try options.number("seconds", default: 0)
        turns = max(1, try options.number("turns", default: 1))
        followers = try options.number("followers", default: 0)
        until = try options.number("until", default: 0)
        resumes = options.contains("resume")
        cuts = try options.number("cuts", default: 0)
        holds = options.contains("hold")
        drains = options.contains("drain")
        lists = options.contains("list")
        history = options.text("history")
        seed = UInt64(clamping: try options.number("seed", default: 1))
        timeout = try options.number("timeout", default: 120)
    }
}
