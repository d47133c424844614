// swift-tools-version: 6.2
import PackageDescription

// The links in Sources lead to the product's own sources: what is measured is what is shipped, without opening its
// inner interfaces to the outside.
let package = Package(
    name: "rejoinder-local-model-benchmark",
    platforms: [.macOS(.v15)],
    targets: [
        .systemLibrary(name: "CLlama", pkgConfig: "llama"),
        .target(name: "RejoinCore"),
        .target(name: "LocalModel", dependencies: ["RejoinCore", "CLlama"], swiftSettings: [.strictMemorySafety()]),
        .executableTarget(name: "local-model-bench", dependencies: ["LocalModel"]),
    ]
)

/// The same settings as in the product.
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
for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings = house + (target.swiftSettings ?? [])
}
