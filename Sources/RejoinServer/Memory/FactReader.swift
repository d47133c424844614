import RejoinCore

/// Asks for facts in a prompt, and reads what a model made of that.
///
/// Whatever a model says can only propose: at most three short lines, which the person sees before they count.
enum FactReader {
    /// How many facts one turn can propose.
    static let mostProposed = 3
    /// How much of a prompt is read, in characters.
    static let mostRead = 2000

    /// What a model is asked about a prompt.
    static func request(about prompt: String) -> ModelRequest {
        ModelRequest(
            messages: [
                ModelMessage(
                    .system,
                    """
                    You note lasting facts that people tell about themselves: their name, work, home, family, tastes, \
                    plans. You note nothing about anybody else, no passing moment and no question. Reply with JSON \
                    alone: {"facts":["…"]}, at most three short sentences in the language of the message, or \
                    {"facts":[]}.
                    """),
                ModelMessage(.user, String(prompt.prefix(mostRead))),
            ],
            maximumOutputTokens: 200, temperature: 0, schema: Array(schema.utf8))
    }

    private static let schema = """
        {"type":"object","properties":{"facts":{"type":"array","maxItems":3,"items":{"type":"string"}}},\
        "required":["facts"],"additionalProperties":false}
        """

    /// The facts in a model's reply; none if it is anything but the object that was asked for.
    static func facts(in reply: String) -> [String] {
        let bytes = Array(reply.trimmingSpace.utf8)
        guard bytes.count <= 8192, let object = try? JSONReader.parse(bytes, maximumDepth: 4).object,
            object.members.count == 1, let values = object["facts"]?.array, values.count <= mostProposed
        else { return [] }
        let texts = values.map { $0.string }
        // One that is not a text makes the whole reply one that was not understood.
        guard !texts.contains(nil) else { return [] }
        var facts: [String] = []
        for text in texts {
            guard let text, let fact = FactText.cleaned(text), !facts.contains(fact) else { continue }
            facts.append(fact)
        }
        return facts
    }
}
