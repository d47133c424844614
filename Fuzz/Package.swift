// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets have no `main`: they need a package of their own. The sources are links to the ones that ship, so that
// what is not public can be fuzzed, instrumented, without the libraries that the rest of it needs.
let package = Package(
    name: "rejoinder-fuzz",
    targets: [
        .target(name: "RejoinCore"),
        .target(name: "HTTPParsing", dependencies: ["RejoinCore"]),
        .target(name: "RejoinMarkdown"),
        .target(name: "TerminalKeys", dependencies: ["RejoinMarkdown"]),
        .target(name: "PasskeyReading"),
        .target(name: "SQLite"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
        .target(name: "Crypto", dependencies: ["CSodium"]),
        .target(name: "ServerParsing", dependencies: ["RejoinCore", "SQLite", "Crypto"]),
        .executableTarget(name: "FuzzRequests", dependencies: ["HTTPParsing"]),
        .executableTarget(name: "FuzzEventStream", dependencies: ["RejoinCore"]),
        .executableTarget(name: "FuzzJSON", dependencies: ["RejoinCore"]),
        .executableTarget(name: "FuzzKeys", dependencies: ["TerminalKeys"]),
        .executableTarget(name: "FuzzMarkdown", dependencies: ["RejoinMarkdown"]),
        .executableTarget(name: "FuzzPasskeys", dependencies: ["PasskeyReading"]),
        .executableTarget(name: "FuzzConfiguration", dependencies: ["ServerParsing"]),
        .executableTarget(name: "FuzzProvider", dependencies: ["RejoinCore", "ServerParsing"]),
        .executableTarget(name: "FuzzArchive", dependencies: ["RejoinCore", "ServerParsing"]),
        .executableTarget(name: "FuzzSearch", dependencies: ["SQLite", "ServerParsing"]),
        .executableTarget(name: "FuzzWords", dependencies: ["RejoinCore", "ServerParsing"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
