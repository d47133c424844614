import Foundation
import RejoinCore
import RejoinServer
import Testing

@Suite struct DoctorTests {
    private func examine(
        _ folder: String, _ change: (inout Configuration) -> Void = { _ in }
    ) -> [String: Doctor.Finding] {
        var configuration = Configuration(dataFolder: folder)
        configuration.listen.port = 0
        change(&configuration)
        return Dictionary(uniqueKeysWithValues: Doctor(configuration).examine().map { ($0.subject, $0) })
    }

    @Test func `a folder that is fine, or not there yet, is fine`() async throws {
        try await TemporaryFolder.use { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
            for path in [folder, folder + "/not/there/yet"] {
                let findings = examine(path)
                for subject in ["data folder", "database", "address"] {
                    #expect(findings[subject]?.verdict == .fine, "\(subject)")
                }
                #expect(findings["disk"] != nil)
                #expect(findings["models"]?.verdict == .warning)
            }
            let store = try SQLiteStore(path: DataFolder.database(in: folder)) { _, _ in }
            #expect(examine(folder)["database"]?.verdict == .fine)
            try await store.close()
        }
    }

    @Test func `says what is broken in words`() async throws {
        try await TemporaryFolder.use { folder in
            let file = folder + "/a-file"
            try Data("x".utf8).write(to: URL(filePath: file))
            #expect(examine(file)["data folder"]?.verdict == .broken)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            #expect(examine(folder)["data folder"]?.verdict == .warning)
            try Data(repeating: 0x41, count: 9000).write(to: URL(filePath: DataFolder.database(in: folder)))
            #expect(examine(folder)["database"]?.verdict == .broken)
            let findings = examine(folder) { configuration in
                configuration.listen.host = "203.0.113.7"
                configuration.models = [
                    .init(name: "gone", kind: .llama(.init(path: folder + "/gone.gguf"))),
                    .init(name: "text", kind: .llama(.init(path: file))),
                    .init(name: "far", kind: .openAI(.init(baseURL: "http://localhost", model: "m"))),
                ]
            }
            #expect(findings["address"]?.verdict == .broken)
            #expect(findings["model gone"]?.verdict == .broken && findings["model text"]?.verdict == .broken)
            #expect(findings["model far"]?.verdict == .warning)
            #expect(findings["database"]?.words.contains("damaged") == true)
        }
    }

    @Test func `a port that is taken is told apart from a server that runs`() async throws {
        try await TemporaryFolder.use { folder in
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 1) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            try #require(isBound)
            let port = UInt16(bigEndian: address.sin_port)
            let taken = examine(folder) { $0.listen.port = port }["address"]
            #expect(taken?.verdict == .broken && taken?.words.contains("taken") == true)
            let held = try DataFolder(folder)
            #expect(examine(folder) { $0.listen.port = port }["address"]?.verdict == .fine)
            withExtendedLifetime(held) {}
        }
    }
}
