import CommandLineTable
import Foundation
import RejoinAssist
import RejoinCore
import RejoinServer
import RejoinTerminal

/// `rejoin rewrite`: a text in other words.
func rewrite(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    let tone = invocation[option: "tone"].flatMap(RewriteTone.init(rawValue:)) ?? .plain
    let desk = try AssistDesk(invocation)
    return await RewriteCommand(try desk.front).run(AssistOptions(invocation), tone: tone)
}

/// `rejoin classify`: items into groups that the person made.
func classify(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    guard let groups = invocation[option: "groups"] else {
        throw UsageError(path: invocation.path, "name the groups with --groups FILE, one on each line")
    }
    let desk = try AssistDesk(invocation)
    return await SortCommand(try desk.front).classify(AssistOptions(invocation), groups: groups)
}

/// `rejoin group`: groups for items that have none.
func group(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    let desk = try AssistDesk(invocation)
    return await SortCommand(try desk.front).group(AssistOptions(invocation))
}

/// `rejoin extract`: the values in a text.
func extract(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    let desk = try AssistDesk(invocation)
    // The table lets no other schema through.
    return await ExtractCommand(try desk.front).run(Expense.self, AssistOptions(invocation))
}

/// `rejoin consent list|grant|revoke|mode`.
func consent(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    let desk = try AssistDesk(invocation)
    let command = ConsentCommand(
        terminal: desk.terminal, consents: desk.consents, settings: desk.settings)
    switch invocation.action {
    case .consentGrant:
        let data = invocation[option: "data-class"].flatMap(DataClass.init(rawValue:)) ?? .minimised
        return await command.grant(invocation[argument: "SERVER"], data: data, at: desk.surroundings.now())
    case .consentRevoke:
        let server = invocation[argument: "SERVER"]
        return await command.revoke(server == "all" ? nil : server)
    case .consentMode:
        guard let mode = ExecutionMode(word: invocation[argument: "MODE"]) else { return ExitCode.usage }
        return await command.choose(mode)
    default: return await command.list()
    }
}

/// `rejoin assist stats`: how well routing served the person, in numbers.
func assistStatistics(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    let desk = try AssistDesk(invocation)
    let (events, unreadable) = try desk.telemetry.read(operations: AssistDesk.operations)
    var lines = TelemetryQuestions(events).lines
    if unreadable > 0 { lines.append("lines that this version does not know: \(unreadable)") }
    try await desk.terminal.write(lines.joined(separator: "\n") + "\n")
    return ExitCode.done
}

extension AssistOptions {
    fileprivate init(_ invocation: Invocation<RejoinAction>) {
        self.init(
            file: invocation[argument: "FILE"], explains: invocation.switches.contains("explain"),
            isAgreed: invocation.switches.contains("yes"), output: invocation[option: "out"])
    }
}

/// The assistant of this device: its model, its files, and the server where the person has one.
struct AssistDesk {
    let terminal: POSIXTerminal
    let surroundings: AssistantSurroundings
    let consents: FileConsentLedger
    let settings: DeviceSettings
    let telemetry: FileTelemetrySink
    private let folder: String
    private let mode: ExecutionMode
    private let modelFile: String?
    private let location: ServerLocation?

    /// The operations that there are, for reading their events back.
    static let operations: [OperationID] = [
        Rewrite.profile.id, Classify.profile.id, RejoinAssist.Group.profile.id, Expense.id, Complete.profile.id,
    ]

    init(_ invocation: Invocation<RejoinAction>) throws {
        let environment = Environment.variables
        terminal = POSIXTerminal(environment: environment)
        let dataFolder = try Environment.dataFolder(invocation[option: "data"])
        // Beside what the terminal holds: on this device, in no account, synced nowhere.
        folder = ClientFolder.path(environment) + "/assist"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        consents = FileConsentLedger(path: folder + "/consents.json")
        settings = DeviceSettings(path: folder + "/settings.json")
        telemetry = FileTelemetrySink(path: folder + "/events.jsonl")
        mode = invocation[option: "mode"].flatMap(ExecutionMode.init(word:)) ?? settings.modeOrMostPrivate
        modelFile = Self.modelFile(invocation, dataFolder: dataFolder)
        location = try? ServerLocation.resolve(
            ServerLocation.Options(
                server: invocation[option: "server"], tokenFile: invocation[option: "token-file"],
                // A folder that nobody named is no reason to pass by the server that this terminal is signed in to.
                dataFolder: invocation[option: "data"] ?? environment["REJOIN_DATA"].map { _ in dataFolder }),
            environment: environment)
        surroundings = .system
    }

    /// The model's file: the one named, or the best of those in the folder.
    private static func modelFile(_ invocation: Invocation<RejoinAction>, dataFolder: String) -> String? {
        if let path = invocation[option: "model-file"] { return path }
        let models = ModelFolder(dataFolder + "/models")
        return ModelCatalogue.standard.entries.first {
            if case .ready = models.state(of: $0) { true } else { false }
        }.map(models.file(of:))
    }

    /// What the commands stand on.
    var front: AssistFront {
        get throws {
            let ledger = try FileCommitLedger(path: folder + "/commits")
            return AssistFront(terminal: terminal, environment: Environment.variables, ledger: ledger) { ask in
                await self.assistant(ask)
            }
        }
    }

    /// Loads the model, if there is one, and puts the assistant together.
    private func assistant(_ ask: @escaping @Sendable (ConsentQuestion) async -> Bool) async -> Assistant {
        var local: LocalService?
        if let modelFile {
            let provider = LlamaProvider(name: "local", path: modelFile)
            await provider.prepare()
            local = LocalService(engine: ProviderEngine(provider, contextSize: 4096))
        }
        let cloud = location.flatMap { location in CloudLine(location) }
        let service = local
        let (mode, consents) = (mode, consents)
        return Assistant(
            runners: Assistant.Runners(
                local: local,
                cloud: cloud?.executor(
                    consent: consents, attempts: FileAttemptStore(path: folder + "/attempts.json"), surroundings)),
            environment: {
                RouteEnvironment(
                    mode: mode, rules: { _ in true },
                    local: { await service?.availability ?? .notDownloaded },
                    cloud: cloud?.route, consent: consents)
            }, telemetry: telemetry, surroundings: surroundings, ask: ask)
    }
}
