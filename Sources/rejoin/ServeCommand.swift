import CommandLineTable
import Foundation
import HTTPClient
import RejoinServer
import RejoinTerminal

/// `rejoin serve`, as it was typed.
struct ServeOptions {
    /// The configuration file.
    var file: String?
    var flags: ConfigurationFlags

    init(_ invocation: Invocation<RejoinAction>) {
        file = invocation[option: "config"]
        flags = ConfigurationFlags(
            data: invocation[option: "data"], listen: invocation[option: "listen"],
            durability: invocation[option: "durability"], logLevel: invocation[option: "log-level"])
    }

    /// The configuration that these options end in.
    func configuration() throws(ConfigurationError) -> Configuration {
        try Configuration.load(file: file, environment: Environment.variables, flags: flags)
    }
}

/// `rejoin serve`: runs the server until it is told to stop.
func serve(_ options: ServeOptions) async throws {
    let configuration = try options.configuration()
    let client = HTTPClient()
    let providers = Providers.make(configuration, client: client, surroundings: .system)
    let server = Server(
        configuration, providers: providers, logger: .standardError(least: configuration.logLevel.least))
    // Before anybody hears that the server is there: who then says stop at once means an orderly end.
    let stops = Signals.stops()
    do {
        try await server.run(
            announce: { announcement in
                announce(announcement, dataFolder: configuration.dataFolder)
                ServiceNotice.ready.send()
            }, reloads: reloads(options),
            until: {
                for await _ in stops { break }
                ServiceNotice.stopping.send()
            })
    } catch let failure as StartFailure {
        Console.exit(failure.code.rawValue, saying: "rejoin: \(failure)")
    }
}

/// The configuration, read again at each SIGHUP; nil where there is no file to read again.
///
/// A file that is not right changes nothing: what held goes on to hold.
private func reloads(_ options: ServeOptions) -> AsyncStream<Configuration>? {
    guard options.file != nil || Environment.variables["REJOIN_CONFIG"] != nil else { return nil }
    let hangUps = Signals.hangUps()
    let (reloads, changed) = AsyncStream<Configuration>.makeStream()
    Task {
        for await _ in hangUps {
            do throws(ConfigurationError) {
                changed.yield(try options.configuration())
            } catch {
                Console.say("rejoin: the configuration was not read again: \(error)")
            }
        }
    }
    return reloads
}

/// Tells the person who started the server where it is and how to get in.
private func announce(_ announcement: Server.Announcement, dataFolder: String) {
    var lines = ["Rejoinder is at \(announcement.address)"]
    lines.append("Sign in once:     \(announcement.signInLink)")
    // The terminal looks in the usual folder; for any other the line that is to be typed has to name it.
    let isUsual = dataFolder == ServerLocation.defaultDataFolder(Environment.variables)
    // Scalar by scalar: to a shell a quote is one whatever mark follows it.
    let quoted = dataFolder.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined()
    let folder = isUsual ? "" : "--data '\(quoted)' "
    lines.append("In a terminal:    rejoin ask \(folder)\"What can you do?\"")
    if announcement.models.isEmpty {
        lines.append("No model is configured yet: see \"rejoin model list\" and docs/configuration.md.")
    }
    for (name, why) in announcement.unavailable.sorted(by: { $0.key < $1.key }) {
        lines.append("The model \(name) is not available: \(why)")
    }
    // Written past the buffer: whoever waits for the address reads a pipe.
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
}
