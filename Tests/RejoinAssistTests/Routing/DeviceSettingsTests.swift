import Foundation
import RejoinAssist
import Testing

@Suite struct DeviceSettingsTests {
    @Test("R22 the mode is kept on this device, readable by its owner alone")
    func keeps() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/state/settings.json"
            let settings = DeviceSettings(path: path)
            #expect(try settings.mode() == .automatic)
            for mode in ExecutionMode.allCases {
                try settings.choose(mode)
                #expect(try DeviceSettings(path: path).mode() == mode)
            }
            #expect(try permissions(of: path) == 0o600)
            #expect(try permissions(of: folder + "/state") == 0o700)
        }
    }

    @Test(
        "R22 settings that cannot be understood are told, and count as the most private mode",
        arguments: ["", "{", #"{"format":1,"mode":"everything"}"#, #"{"format":2,"mode":"automatic"}"#, "[]"])
    func broken(content: String) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/settings.json"
            try Data(content.utf8).write(to: URL(filePath: path))
            let settings = DeviceSettings(path: path)
            #expect(throws: DeviceSettingsError.malformed) { try settings.mode() }
            #expect(settings.modeOrMostPrivate == .onDeviceOnly)
            try settings.choose(.cloudAllowed)
            #expect(settings.modeOrMostPrivate == .cloudAllowed)
        }
    }

    @Test("R22 a file that is no file is an error that names no path")
    func unreadable() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/taken"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let settings = DeviceSettings(path: path)
            do {
                _ = try settings.mode()
                Issue.record("was read")
            } catch {
                #expect(!"\(error)".contains(folder))
            }
            #expect(throws: DeviceSettingsError.self) { try settings.choose(.automatic) }
            #expect(settings.modeOrMostPrivate == .onDeviceOnly)
        }
    }
}

/// Gives a folder of its own to a test and takes it away after.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path())
}

/// Gives a folder of its own to a test that waits, and takes it away after.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path())
}

func permissions(of path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}
