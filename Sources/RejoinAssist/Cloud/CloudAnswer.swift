internal import RejoinCore

/// What the server answered, whole.
public struct CloudAnswer: Sendable, Hashable {
    /// The model's whole output; nobody trusts it yet.
    public let text: String
    /// What it took, in tokens, where the server counted.
    public let usage: CloudUsage?
    /// Whether the request was attested.
    public let attestation: AttestationOutcome
    /// How often the request was sent.
    public let sends: Int
}

/// What one run took at the server.
public struct CloudUsage: Sendable, Hashable {
    /// Tokens read.
    public let inputTokens: Int
    /// Tokens written.
    public let outputTokens: Int

    /// Counts tokens.
    public init(inputTokens: Int, outputTokens: Int) {
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }
}

/// A success of the exchange, as the wire has it: an output, or the word that the model refused.
enum CloudReplyBody: Equatable {
    case output(String, CloudUsage?)
    case refused(String)

    /// Reads a body; nil for anything that is not one of the two, an output that was cut off included.
    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONReader.parse(bytes).object else { return nil }
        if let reason = object["refused"]?.string {
            self = .refused(reason)
        } else if let output = object["output"]?.string, object["truncated"]?.bool != true {
            var usage: CloudUsage?
            if let counted = object["usage"]?.object, let input = counted["input_tokens"]?.integer,
                let output = counted["output_tokens"]?.integer, input >= 0, output >= 0
            {
                usage = CloudUsage(inputTokens: input, outputTokens: output)
            }
            self = .output(output, usage)
        } else {
            return nil
        }
    }
}
