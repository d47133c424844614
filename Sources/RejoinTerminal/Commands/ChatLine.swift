/// What a line typed into a chat asks for.
enum ChatLine: Equatable {
    case nothing
    case prompt(String)
    case new
    case list
    /// A number of the last list, or an id.
    case open(String)
    case retry
    case stop
    case history
    /// Nil lists the models.
    case model(String?)
    case help
    case quit
    case unknown(String)

    /// Reads a line; a doubled slash at the start says a prompt that begins with one.
    init(_ line: String) {
        var text = line[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        text = text.drop(while: \.isWhitespace)
        guard let first = text.first else {
            self = .nothing
            return
        }
        guard first == "/" else {
            self = .prompt(String(text))
            return
        }
        if text.hasPrefix("//") {
            self = .prompt(String(text.dropFirst()))
            return
        }
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let argument = words.count > 1 ? String(words[1].drop(while: \.isWhitespace)) : nil
        switch (words[0], argument) {
        case ("/new", nil): self = .new
        case ("/list", nil): self = .list
        case ("/open", let argument?): self = .open(argument)
        case ("/retry", nil): self = .retry
        case ("/stop", nil): self = .stop
        case ("/history", nil): self = .history
        case ("/model", let argument): self = .model(argument)
        case ("/help", nil): self = .help
        case ("/quit", nil), ("/exit", nil): self = .quit
        default: self = .unknown(String(words[0]))
        }
    }

    static let helpText = """
        /new            begin a new conversation
        /list           list the conversations
        /open N|ID      go on with one of them
        /history        print this conversation
        /retry          ask for another answer
        /stop           stop the answer (so does Ctrl-C)
        /model [NAME]   choose a model, or list them
        /quit           leave (so does Ctrl-D)
        //…             a prompt that begins with a slash

        """
}
