import CommandLineTable
import RejoinServer

/// `rejoin account add`, as it was typed.
struct AccountAddOptions {
    var name: String
    var dataFolder: String

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        name = invocation[argument: "NAME"]
        dataFolder = try Environment.dataFolder(invocation[option: "data"])
    }
}

/// `rejoin account list`, as it was typed.
struct AccountListOptions {
    var dataFolder: String

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        dataFolder = try Environment.dataFolder(invocation[option: "data"])
    }
}
