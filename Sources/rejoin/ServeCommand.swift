import CommandLineTable
import RejoinServer

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
