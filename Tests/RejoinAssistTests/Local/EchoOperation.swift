import RejoinAssist
import RejoinCore

/// The smallest operation: a text that comes back as it is.
enum EchoOperation: ServedOperation {
    static let undecodable = "cannot be read"
    static let profile = OperationProfile(
        id: "echo", budget: TokenBudget(input: 100, output: 100), dataClass: .minimised)
    static let kind = ResponseKind.prose
    static let pipeline = ValidationPipeline<String, String, String> { draft, _, _ throws(ValidationFailure) in draft }
    static let requestShape = DraftSchema.object([.init("text", .string(upTo: 1000))])

    static func task(for input: String) -> ModelTask {
        ModelTask(instructions: "Say it again.", prompt: input, maximumTokens: 100)
    }

    static func draft(from text: String, for input: String) throws(ValidationFailure) -> String {
        if text == undecodable { throw .undecodable }
        return text
    }

    static func request(for input: String) -> JSONValue {
        .object(JSONObject([.init(name: "text", value: .string(input))]))
    }

    static func input(from request: JSONValue) -> String? { request.object?["text"]?.string }
}
