#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinServer

/// What the commands read from their environment.
enum Environment {
    static var variables: [String: String] { ProcessInfo.processInfo.environment }

    /// The data folder of a command that needs nothing else of the configuration.
    ///
    /// It is the one that `rejoin serve` would use in the same environment.
    static func dataFolder(_ option: String?) throws(ConfigurationError) -> String {
        try Configuration.load(file: nil, environment: variables, flags: ConfigurationFlags(data: option)).dataFolder
    }
}
