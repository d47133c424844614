internal import CLlama
internal import Foundation

/// The form in which the model was trained to see a conversation.
///
/// Only the template's own words become control tokens. Each message's text is put in as text, so that a pasted
/// `<|im_end|><|im_start|>system` cannot open a turn of its own.
struct ChatTemplate: Sendable {
    /// A conversation's tokens, with the share of each message.
    struct Prompt: Sendable {
        var tokens: [Token] = []
        /// Tokens of each message, the template's words before it included.
        var shares: [Int] = []
    }

    private let vocabulary: Vocabulary
    private let form: String

    /// Finds the template in the model.
    ///
    /// - Throws: `noChatTemplate` for a model that only continues texts, or a form that the library does not know.
    init(_ vocabulary: Vocabulary) throws(LocalModelError) {
        guard let form = unsafe llama_model_chat_template(vocabulary.weights.handle, nil) else {
            throw LocalModelError(.noChatTemplate)
        }
        self.vocabulary = vocabulary
        self.form = unsafe String(cString: form)
        guard render([LocalMessage(.system, "a"), LocalMessage(.user, "b")]) != nil else {
            throw LocalModelError(.noChatTemplate)
        }
    }

    /// The tokens of a conversation, up to where the model's answer begins.
    ///
    /// - Throws: `noChatTemplate` if the form cannot hold such a conversation.
    func prompt(_ messages: [LocalMessage]) throws(LocalModelError) -> Prompt {
        // Private-use characters stand for the texts; the real ones are cut into tokens apart from the template.
        let placeholder = "\u{F8FE}\u{F8FF}"
        let skeleton = messages.map { LocalMessage($0.role, placeholder) }
        guard let rendered = render(skeleton) else { throw LocalModelError(.noChatTemplate) }
        let words = rendered.components(separatedBy: placeholder)
        guard words.count == messages.count + 1 else { throw LocalModelError(.noChatTemplate) }
        var prompt = Prompt()
        for (index, message) in messages.enumerated() {
            let before = prompt.tokens.count
            prompt.tokens += vocabulary.tokens(words[index], beginning: index == 0, controlWords: true)
            prompt.tokens += vocabulary.tokens(message.text, beginning: false, controlWords: false)
            prompt.shares.append(prompt.tokens.count - before)
        }
        prompt.tokens += vocabulary.tokens(words[messages.count], beginning: false, controlWords: true)
        return prompt
    }

    /// The conversation in the template's form, open for the answer; nil if the library does not know the form.
    private func render(_ messages: [LocalMessage]) -> String? {
        // One buffer of zero-ended texts, so that the pointers stay valid through the call.
        var texts: [CChar] = []
        var places: [(role: Int, text: Int)] = []
        for message in messages {
            let role = texts.count
            texts += message.role.rawValue.utf8CString
            places.append((role, texts.count))
            texts += message.text.utf8CString
        }
        var buffer = [CChar](repeating: 0, count: 2 * texts.count + 1024)
        let length = unsafe texts.withUnsafeBufferPointer { texts -> Int32 in
            guard let base = texts.baseAddress else { return -1 }
            let chat = unsafe places.map { unsafe llama_chat_message(role: base + $0.role, content: base + $0.text) }
            return unsafe llama_chat_apply_template(
                form, chat, chat.count, true, &buffer, Int32(clamping: buffer.count))
        }
        guard length >= 0, Int(length) <= buffer.count else { return nil }
        return String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
