// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "rejoinder",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "RejoinCore", targets: ["RejoinCore"]),
        .library(name: "RejoinMarkdown", targets: ["RejoinMarkdown"]),
        .library(name: "RejoinAssist", targets: ["RejoinAssist"]),
        .library(name: "RejoinFoundationModels", targets: ["RejoinFoundationModels"]),
        .library(name: "RejoinClient", targets: ["RejoinClient"]),
        .library(name: "RejoinTestKit", targets: ["RejoinTestKit"]),
        .executable(name: "rejoin", targets: ["rejoin"]),
    ],
    targets: [
        // The core: standard library alone, so that it also runs in the browser.
        .target(name: "RejoinCore"),
        .target(name: "RejoinMarkdown"),
        .target(name: "RejoinWeb", dependencies: ["RejoinCore", "RejoinMarkdown"]),

        // Features inside an app.
        .target(name: "RejoinAssist", dependencies: ["RejoinCore"]),
        .target(name: "RejoinFoundationModels", dependencies: ["RejoinCore", "RejoinAssist"]),

        // C libraries: a module map and a shim each.
        .c("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        .c("CEvent", pkgConfig: "libevent_pthreads", apt: "libevent-dev", brew: "libevent"),
        .c("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        .c("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev", brew: "libsodium"),
        .c("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        .c("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        .c("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
        .c("CLlama", pkgConfig: "llama", apt: "", brew: "llama.cpp"),

        // One Swift wrapper per C library.
        .wrapper("SQLite", around: ["CSQLite"]),
        .wrapper("HTTPServer", around: ["CEvent", "CZlib", "CDeflate"]),
        .wrapper("HTTPClient", around: ["CCurl"]),
        .wrapper("Crypto", around: ["CSodium", "CCrypto"]),
        .wrapper("LocalModel", around: ["CLlama"]),

        // The page's files, compiled in.
        .target(name: "WebAssets"),

        // The products.
        .target(
            name: "RejoinServer",
            dependencies: [
                "RejoinCore", "RejoinAssist", "SQLite", "HTTPServer", "HTTPClient", "Crypto", "LocalModel", "WebAssets",
            ]),
        .target(name: "RejoinClient", dependencies: ["RejoinCore", "RejoinAssist", "SQLite", "HTTPClient"]),
        .target(name: "RejoinTestKit", dependencies: ["RejoinCore", "RejoinClient"]),
        .target(
            name: "RejoinTerminal", dependencies: ["RejoinCore", "RejoinMarkdown", "RejoinAssist", "RejoinClient"]),
        .target(name: "Rehearsal", dependencies: ["RejoinCore"]),
        .target(name: "RejoinProbe", dependencies: ["RejoinCore", "RejoinClient", "Rehearsal"]),
        .target(name: "CommandLineTable", dependencies: ["RejoinCore"]),
        .executableTarget(
            name: "rejoin",
            dependencies: [
                "RejoinCore", "RejoinAssist", "RejoinServer", "RejoinClient", "RejoinTerminal", "RejoinProbe",
                "CommandLineTable", "HTTPClient",
            ]),

        // The programs that the README shows.
        .executableTarget(
            name: "keep-the-answer", dependencies: ["RejoinCore", "RejoinClient"], path: "Examples/KeepTheAnswer"),
        .executableTarget(name: "rewrite-a-note", dependencies: ["RejoinAssist"], path: "Examples/RewriteANote"),

        // What the tests stand on.
        .target(name: "SeededRandom"),
        .target(
            name: "TestSupport",
            dependencies: ["RejoinCore", "RejoinServer", "HTTPServer", "HTTPClient", "Rehearsal"]),
        .executableTarget(name: "scripted-upstream", dependencies: ["Rehearsal"]),

        .testTarget(name: "RejoinCoreTests", dependencies: ["SeededRandom", "RejoinCore"]),
        .testTarget(name: "RejoinMarkdownTests", dependencies: ["SeededRandom", "RejoinMarkdown"]),
        .testTarget(name: "RejoinAssistTests", dependencies: ["SeededRandom", "RejoinCore", "RejoinAssist"]),
        .testTarget(name: "Scenarios", dependencies: ["RejoinCore", "RejoinAssist"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
        .testTarget(name: "HTTPServerTests", dependencies: ["SeededRandom", "RejoinCore", "HTTPServer"]),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "HTTPServer", "TestSupport"]),
        .testTarget(name: "LocalModelTests", dependencies: ["LocalModel", "RejoinCore", "RejoinAssist"]),
        .testTarget(
            name: "RejoinServerTests",
            dependencies: [
                "SeededRandom",
                "RejoinCore", "RejoinAssist", "RejoinServer", "SQLite", "Crypto", "HTTPServer", "HTTPClient",
                "LocalModel",
                "TestSupport",
            ]),
        .testTarget(
            name: "RejoinClientTests",
            dependencies: [
                "SeededRandom", "RejoinCore", "RejoinAssist", "RejoinServer", "RejoinClient", "RejoinTestKit",
                "RejoinTerminal", "SQLite", "TestSupport",
            ]),
        .testTarget(name: "RejoinTestKitTests", dependencies: ["RejoinCore", "RejoinClient", "RejoinTestKit"]),
        .testTarget(name: "CommandTests", dependencies: ["SeededRandom", "CommandLineTable", "RejoinServer"]),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "SeededRandom", "RejoinCore", "HTTPClient", "TestSupport", "RejoinClient", "rejoin",
                "scripted-upstream", "keep-the-answer", "rewrite-a-note",
            ],
            exclude: ["description_fuzz.py", "openai_client.py", "openid.py", "passkeys.py"]),
        .testTarget(
            name: "ProbeTests",
            dependencies: ["RejoinCore", "RejoinClient", "RejoinProbe", "Rehearsal", "TestSupport", "rejoin"]),
        .testTarget(name: "LayoutTests", dependencies: ["RejoinFoundationModels"]),
        .testTarget(
            name: "RejoinTerminalTests",
            dependencies: ["SeededRandom", "RejoinCore", "RejoinMarkdown", "RejoinClient", "RejoinTerminal"],
            exclude: ["Fixtures", "Support/pyte_shows.py"]),
    ]
)

/// The settings of every Swift target; wrappers add strict memory safety.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
for target in package.targets where ![.system, .plugin].contains(target.type) && target.name != "WebAssets" {
    target.swiftSettings = house + (target.swiftSettings ?? [])
}

extension Target {
    static func c(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
        .systemLibrary(
            name: name, pkgConfig: pkgConfig, providers: (apt.isEmpty ? [] : [.apt([apt])]) + [.brew([brew])])
    }

    static func wrapper(_ name: String, around libraries: [String]) -> Target {
        .target(
            name: name, dependencies: ["RejoinCore"] + libraries.map { .init(stringLiteral: $0) },
            swiftSettings: [.strictMemorySafety()])
    }
}
