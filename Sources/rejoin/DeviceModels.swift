import CommandLineTable
import Foundation
import RejoinAssist
import RejoinClient
import RejoinCore
import RejoinServer
import RejoinTerminal

extension DeviceOptions {
    /// Who may answer: what was said, what this device is set to, and the model that is here.
    ///
    /// - Throws: `UsageError` for a model that was named and is not here.
    init(_ invocation: Invocation<RejoinAction>) throws(UsageError) {
        let settings = DeviceSettings(path: ClientFolder.path(Environment.variables) + "/assist/settings.json")
        let file = try ModelFile(invocation)
        self.init(
            mode: invocation[option: "mode"].flatMap(ExecutionMode.init(word:)),
            isPrivate: settings.modeOrMostPrivate == .onDeviceOnly,
            answering: file.map { file in
                let engine = FileEngine(path: file.path, name: file.name)
                return DeviceAnswering(ServiceModel(name: file.name, service: LocalService(engine: engine)))
            })
    }
}

/// A model's file on this device.
struct ModelFile {
    let name: String
    let path: String

    /// The one that was named, or the best of those in the folder; nil where there is none.
    init?(_ invocation: Invocation<RejoinAction>) throws(UsageError) {
        let folder = (try? Environment.dataFolder(invocation[option: "data"])).map { ModelFolder($0 + "/models") }
        let named = invocation[option: "device-model"]
        let entries = ModelCatalogue.standard.entries.filter { named == nil || $0.name == named }
        if let folder, let entry = entries.first(where: { folder.isReady($0) }) {
            self.init(name: entry.name, path: folder.file(of: entry))
            return
        }
        guard let named else { return nil }
        guard FileManager.default.isReadableFile(atPath: named) else {
            throw UsageError(
                path: invocation.path, "--device-model: there is no file \(named), and no model of that name is here")
        }
        self.init(name: URL(filePath: named).deletingPathExtension().lastPathComponent, path: named)
    }

    private init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}

extension ModelFolder {
    fileprivate func isReady(_ entry: ModelCatalogue.Entry) -> Bool {
        if case .ready = state(of: entry) { true } else { false }
    }
}

/// The model in a file, which is loaded by the first prompt that needs it and not before.
struct FileEngine: LocalEngine {
    private let provider: LlamaProvider
    private let engine: ProviderEngine

    /// How much the model reads and writes together, in tokens.
    private static let contextSize = 4096

    init(path: String, name: String) {
        provider = LlamaProvider(name: name, path: path)
        engine = ProviderEngine(provider, contextSize: Self.contextSize)
    }

    /// A file that is there counts as ready until a try says otherwise.
    var availability: LocalAvailability {
        get async {
            if case .loading = provider.availability {
                return .ready(
                    CapabilityRecord(capabilities: [.text, .structuredOutput], contextSize: Self.contextSize))
            }
            return await engine.availability
        }
    }

    func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession {
        await provider.prepare()
        return try await engine.makeSession(instructions: instructions)
    }
}
