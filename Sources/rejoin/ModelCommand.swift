import CommandLineTable
import RejoinServer

/// `rejoin model list|get|remove`, as it was typed.
struct ModelOptions {
    /// The model that is meant; empty for `list`.
    var name: String
    /// The folder that keeps models: the one given, or `models` in the data folder.
    var folder: String

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        name = invocation[argument: "NAME"]
        if let given = invocation[option: "models"] {
            folder = given
        } else {
            folder = try Environment.dataFolder(nil) + "/models"
        }
    }
}

extension ModelOptions {
    /// The catalogue's entry of the name.
    fileprivate var entry: ModelCatalogue.Entry {
        if let entry = ModelCatalogue.standard[name] { return entry }
        let names = ModelCatalogue.standard.entries.map(\.name).joined(separator: ", ")
        Console.exit(64, saying: "rejoin: there is no model \"\(name)\"; there are \(names)")
    }
}

/// `rejoin model list`: each model of the catalogue, and how much of it is here.
func listModels(_ options: ModelOptions) {
    let folder = ModelFolder(options.folder)
    for entry in ModelCatalogue.standard.entries {
        let state =
            switch folder.state(of: entry) {
            case .absent: "not here"
            case .partial(let bytes): "\(size(bytes)) of it here"
            case .ready: "here"
            }
        print(
            "\(entry.name)  \(size(entry.bytes))  \(state)\n    \(entry.summary)\n    \(entry.origin), \(entry.licence)"
        )
    }
}

/// `rejoin model get`: says the size, then fetches the model or the rest of it.
func getModel(_ options: ModelOptions) async throws {
    let (entry, folder) = (options.entry, ModelFolder(options.folder))
    if case .ready = folder.state(of: entry) { return }
    print(
        "Fetching \(entry.name), \(size(entry.bytes)), into \(folder.path). It goes on where it was if it breaks off.")
    do {
        try await folder.get(entry) { done, total, phase in
            switch phase {
            case .downloading: print("  \(size(done)) of \(size(total))")
            case .checking: print("  checking")
            case .done: print("  done")
            }
        }
    } catch let error as ModelFetchError {
        Console.exit(75, saying: "rejoin: \(error)")
    }
}

/// `rejoin model remove`.
func removeModel(_ options: ModelOptions) {
    do {
        try ModelFolder(options.folder).remove(options.entry)
    } catch {
        Console.exit(74, saying: "rejoin: \(error)")
    }
}

/// Bytes for a person: in megabytes of a million, as a download's size is usually given.
private func size(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }
