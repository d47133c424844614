package import HTTPClient
import LocalModel

/// Makes the models that a configuration names.
package enum Providers {
    /// One provider a model, in the configuration's order; nothing is loaded or called yet.
    package static func make(
        _ configuration: Configuration, client: HTTPClient, surroundings: Surroundings
    ) -> [any ModelProvider] {
        configuration.models.map { model in
            switch model.kind {
            case .llama(let llama):
                LlamaProvider(name: model.name, path: llama.path, configuration: Self.configuration(llama))
            case .openAI(let remote):
                OpenAIProvider(
                    name: model.name, baseURL: remote.baseURL, model: remote.model,
                    apiKey: { remote.apiKey?.revealed }, client: client, clock: ContinuousClock(),
                    wall: surroundings.wall, random: { surroundings.random().0 },
                    limits: Self.limits(remote, configuration.limits), capacity: remote.concurrent)
            }
        }
    }

    private static func configuration(_ llama: Configuration.Llama) -> LocalModelConfiguration {
        var configuration = LocalModelConfiguration()
        configuration.sequences = llama.sequences
        configuration.contextPerSequence = llama.context
        configuration.threads = llama.threads
        return configuration
    }

    private static func limits(_ remote: Configuration.OpenAI, _ common: Configuration.Limits) -> OpenAIProvider.Limits
    {
        var limits = OpenAIProvider.Limits()
        limits.firstPiece = common.firstPieceTimeout
        limits.idle = common.silenceTimeout
        limits.contextTokens = remote.context
        return limits
    }
}
