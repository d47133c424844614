package import RejoinCore

/// The models that configuration named, in its order.
package struct ModelRegistry: Sendable {
    package let providers: [any ModelProvider]
    /// The name that `auto` stands for.
    package let defaultName: String

    /// Keeps the models; `defaultName` must be one of them where there is any.
    package init(_ providers: [any ModelProvider], defaultName: String) {
        self.providers = providers
        self.defaultName = defaultName
    }

    /// The provider that a request's `model` means.
    ///
    /// - Throws: a ``Problem`` naming the models there are.
    package func resolve(_ requested: String) throws(Problem) -> any ModelProvider {
        let name = requested == "auto" ? defaultName : requested
        for provider in providers where provider.name == name { return provider }
        guard !providers.isEmpty else { throw Problem(.modelUnavailable, "No model is configured.", field: "model") }
        let names = providers.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw Problem(.invalidRequest, "There is no such model; there are \(names) and \"auto\".", field: "model")
    }
}
