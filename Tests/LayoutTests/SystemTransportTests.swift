import Foundation
import Testing

#if os(Linux)
/// The one file that is only for Apple platforms, held against the Foundation of this system: nearly the same interface.
@Suite struct SystemTransportTests {
    /// What this system's Foundation has otherwise: there it cannot be set, and is always false.
    private static let appleOnly = "        configuration.waitsForConnectivity = false\n"

    private static func check(_ text: String) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rejoin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "SystemTransport.swift")
        try Data(text.utf8).write(to: file)
        let features = ["ExistentialAny", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"]
        return try Repository.run(
            "/bin/sh",
            [
                "-c", "exec swiftc \"$@\" 2>&1", "swiftc", "-typecheck", "-swift-version", "6", "-package-name",
                "rejoinder",
            ]
                + ["-module-name", "RejoinClient"] + features.flatMap { ["-enable-upcoming-feature", $0] }
                + ["Sources/RejoinClient/Transport/Transport.swift", file.path()])
    }

    @Test func `the transport of Apple platforms fits Foundation's loader`() throws {
        let text = try Repository.text(of: "Sources/RejoinClient/Transport/SystemTransport.swift")
        #expect(text.hasPrefix("#if canImport(Darwin)\npublic import Foundation\n"))
        #expect(text.contains(Self.appleOnly))
        let here = text.replacing(
            "#if canImport(Darwin)\n", with: "#if true\npublic import FoundationNetworking\n", maxReplacements: 1
        ).replacing(Self.appleOnly, with: "")
        let checked = try Self.check(here)
        #expect(checked.status == 0, "\(checked.output)")
        #expect(!checked.output.contains("error:"), "\(checked.output)")
        // A check that sees nothing would find nothing.
        let broken = try Self.check(here.replacing("session.dataTask(with: outgoing)", with: "session.dataTask(at: 1)"))
        #expect(broken.status != 0)
    }
}
#endif
