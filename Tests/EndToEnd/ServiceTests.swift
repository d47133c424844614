import Foundation
import Synchronization
import TestSupport
import Testing

/// The example of a unit, and what the server tells a service manager.
@Suite(.timeLimit(.minutes(1))) struct ServiceTests {
    private static let analyze = "/usr/bin/systemd-analyze"
    private static let unit = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/systemd/rejoin.service").standardizedFileURL

    private func run(_ arguments: String...) async throws -> (status: Int32, said: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.analyze)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = await ServerProcess.readAll(output)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }

    @Test(
        "S36 the example of a unit is one that systemd takes without a word, and rates as closed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: analyze), "systemd is not installed"))
    func unit() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "rejoin.service")
        // Where `make install` puts the command is a place that need not have it here.
        try String(contentsOf: Self.unit, encoding: .utf8)
            .replacing("/usr/local/bin/rejoin", with: ServerProcess.programs + "/rejoin")
            .write(to: copy, atomically: true, encoding: .utf8)
        let verified = try await run("verify", "--man=no", copy.path())
        #expect(verified.status == 0 && verified.said.isEmpty, "\(verified.said)")
        // In tenths; 10 is open, and what is under 2 is called closed enough.
        let rated = try await run("security", "--offline=true", "--no-pager", "--threshold=20", copy.path())
        #expect(rated.status == 0, "\(rated.said)")
    }

    @Test("S31 a service manager is told when requests are taken and when the server stops")
    func notices() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "socket").path()
        let manager = try Manager(path)
        let server = try ServerProcess(configuration: "{}", environment: ["NOTIFY_SOCKET": path])
        // Who says stop the moment that the server is there meets it at its least prepared.
        for _ in 0..<5 {
            try await server.start()
            #expect(manager.next() == "READY=1")
            #expect(await server.stop() == 0)
            #expect(manager.next() == "STOPPING=1")
        }
    }

    /// The other end of the socket; a message that does not come within some seconds is nil.
    private final class Manager: Sendable {
        private let descriptor: Int32

        init(_ path: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix(107)) }
            let bound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] address in
                    bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
        }
    }
}
