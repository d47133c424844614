// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "rejoinder-frame-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "rejoinder", path: "../..")],
    targets: [
        .executableTarget(
            name: "frame-bench",
            dependencies: [
                .product(name: "RejoinCore", package: "rejoinder"),
                .product(name: "RejoinClient", package: "rejoinder"),
                .product(name: "RejoinTestKit", package: "rejoinder"),
            ])
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
