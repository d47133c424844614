// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "rejoinder-benchmarks",
    targets: [
        .systemLibrary(name: "CEpoll"),
        .target(name: "BenchSystem", dependencies: ["CEpoll"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "BenchCore"),
        .executableTarget(name: "bench-upstream", dependencies: ["BenchCore", "BenchSystem"]),
        .executableTarget(name: "bench-load", dependencies: ["BenchCore", "BenchSystem"]),
        .testTarget(name: "BenchCoreTests", dependencies: ["BenchCore"]),
    ]
)

/// The same settings as in the product; nothing is imported from it, so that a fault there cannot hide itself here.
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
