import RejoinClient
import RejoinCore

extension StoreTalk {
    /// Talks line by line, through the store of this device.
    ///
    /// - Returns: the exit code, which tells of trouble only when nobody sits at the keys.
    func lines(_ options: ChatOptions) async -> Int32 {
        var conversation = options.conversation
        var model = options.model
        var code = ExitCode.done
        let isInteractive = front.terminal.isInputInteractive
        while true {
            if isInteractive { await front.terminal.writeError("you> ") }
            guard let line = await front.terminal.readLine() else { break }
            switch ChatLine(line) {
            case .nothing: continue
            case .prompt(let text):
                let outcome = await ask(text, in: conversation, model: model)
                conversation = outcome.conversation ?? conversation
                code = outcome.code
                if outcome.isOutputClosed { return ExitCode.done }
            case .new: conversation = nil
            case .model(let name?): model = name
            case .quit: return isInteractive ? ExitCode.done : code
            case .help: await front.terminal.writeError("/new, /model NAME and /quit are known here\n")
            case .list, .open, .retry, .stop, .history, .model, .unknown:
                await front.say("that is not offered line by line on this device; /help lists what is")
            }
        }
        if isInteractive { await front.terminal.writeError("\n") }
        return isInteractive ? ExitCode.done : code
    }
}
