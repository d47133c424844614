// swift-tools-version: 6.2
import PackageDescription

// Beside md4c, the fastest parser that Debian has (`libmd4c-html0-dev`), in one run. The engine is a link to the one that
// ships.
let package = Package(
    name: "rejoinder-markdown-speed",
    targets: [
        .systemLibrary(name: "CMd4c", pkgConfig: "md4c-html", providers: [.apt(["libmd4c-html0-dev"])]),
        .target(name: "RejoinMarkdown"),
        .executableTarget(name: "MarkdownSpeed", dependencies: ["RejoinMarkdown", "CMd4c"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
