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
