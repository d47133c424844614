/// Why the local model cannot be loaded or cannot answer.
package struct LocalModelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reasons, as a closed list.
    package enum Code: String, CaseIterable, Sendable {
        // while loading
        case fileMissing, notAModel, fileDamaged, noChatTemplate, libraryMismatch, noBackend, notEnoughMemory
        // while answering
        case contextTooLarge, schemaUnsupported, evaluationFailed, shutDown
    }

    package let code: Code
    /// Which part of a schema is meant, where one is.
    package let place: String?

    init(_ code: Code, place: String? = nil) {
        self.code = code
        self.place = place
    }

    /// Words for an operator: what is wrong and what would change it.
    ///
    /// Never a path, a prompt or the library's text.
    package var description: String {
        switch code {
        case .fileMissing: "the model's file is not there, or cannot be read"
        case .notAModel: "the file is not a GGUF model"
        case .fileDamaged: "the model's file is damaged or incomplete: fetch it again"
        case .noChatTemplate:
            "the model has no chat template that this version knows: choose an instruction-tuned model"
        case .libraryMismatch: "the installed libllama is another release than the one this was built for: build again"
        case .noBackend: "libllama found no code for this processor: install it again"
        case .notEnoughMemory: "there is not enough memory for the model: choose a smaller one, or fewer sequences"
        case .contextTooLarge: "the prompt is larger than the model's context"
        case .schemaUnsupported: "the schema cannot be enforced" + (place.map { ": " + $0 } ?? "")
        case .evaluationFailed: "the model failed while it answered"
        case .shutDown: "the model is shut down"
        }
    }
}
