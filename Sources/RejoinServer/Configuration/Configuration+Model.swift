extension Configuration {
    /// A model that answers can come from.
    package struct Model: Sendable, Equatable {
        /// Where the model runs.
        package enum Kind: Sendable, Equatable {
            case llama(Llama)
            case openAI(OpenAI)
        }

        /// What requests and pages call it.
        package var name: String
        package var kind: Kind

        package init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// A model in this process, by llama.cpp.
    package struct Llama: Sendable, Equatable {
        /// A GGUF file.
        package var path: String
        /// Tokens that one answer may use, its prompt counted.
        package var context: Int = 4096
        /// Answers at a time.
        package var sequences: Int = 4
        /// Processor threads; nil leaves it to the number of cores.
        package var threads: Int?

        package init(path: String) {
            self.path = path
        }
    }

    /// A model behind an address that speaks OpenAI's chat completions.
    package struct OpenAI: Sendable, Equatable {
        /// Up to and without the slash before `chat/completions`.
        package var baseURL: String
        /// What the provider calls the model.
        package var model: String
        package var apiKey: ProviderKey?
        /// Tokens that one answer may use, its prompt counted; nil where that is not known, and then nothing is cut.
        package var context: Int?
        /// Answers at a time.
        package var concurrent: Int = 64

        package init(baseURL: String, model: String, apiKey: ProviderKey? = nil) {
            self.baseURL = baseURL
            self.model = model
            self.apiKey = apiKey
        }
    }
}
