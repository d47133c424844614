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
                    name: model.name, remote, limits: configuration.limits, client: client, surroundings: surroundings)
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
}
