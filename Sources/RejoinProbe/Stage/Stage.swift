import Foundation
package import RejoinClient
import RejoinCore
package import Rehearsal
import Synchronization

/// Where the probes take place: a server, what stands behind it as far as it can be seen, and devices around it.
package final class Stage: Sendable {
    /// What a device is made of; a test that wants to see a probe fail breaks something here.
    package struct Parts: Sendable {
        /// Stands between a device and its network; told the device's name.
        package var transport: @Sendable (any Transport, String) -> any Transport = { base, _ in base }
        package var configure: @Sendable (inout ConversationClient.Configuration) -> Void = { _ in }
        /// Whether devices keep anything over a restart of the app.
        package var keepsStore = true

        /// Whole ones.
        package init() {}
    }

    /// A server that somebody else runs.
    package struct Target: Sendable {
        /// Without a path.
        package var address: String
        package var token: String
        /// Of another account or of another device, for the probe that signs out; nil leaves that probe out.
        package var spareToken: String?
        package var model: String

        /// Names a server and a person there.
        package init(address: String, token: String, spareToken: String? = nil, model: String = "auto") {
            self.address = address
            self.token = token
            self.spareToken = spareToken
            self.model = model
        }

        /// Asks the server something, so that no probe has to find out that nobody is there.
        ///
        /// - Throws: ``ClientError``.
        func greet() async throws {
            _ = try await RejoinClient(address: address, token: token, transport: CurlTransport()).models()
        }
    }

    /// The server that the stage runs by itself.
    let house: HouseServer?
    /// The model behind it, seen from its own side.
    package let model: ScriptedUpstream?
    let target: Target?
    private let folder: String
    private let parts: Parts
    private let state = Mutex(State())

    private struct State {
        var devices: [Device] = []
        var people = 0
    }

    /// Sets up a server of its own with a scripted model behind it.
    ///
    /// - Parameter program: the path of `rejoin`.
    /// - Throws: where the server does not come up, an error that says why.
    package static func ownServer(program: String, parts: Parts = Parts()) async throws -> Stage {
        let folder = try makeFolder()
        let model = try ScriptedUpstream()
        do {
            let house = try HouseServer(
                program: program, folder: folder, models: [steady, quick, limited], at: model.baseURL)
            try await house.start()
            return Stage(house: house, model: model, target: nil, folder: folder, parts: parts)
        } catch {
            model.stop()
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Sets up devices around a server that runs somewhere.
    package static func around(_ target: Target, parts: Parts = Parts()) throws -> Stage {
        Stage(house: nil, model: nil, target: target, folder: try makeFolder(), parts: parts)
    }

    private init(house: HouseServer?, model: ScriptedUpstream?, target: Target?, folder: String, parts: Parts) {
        self.house = house
        self.model = model
        self.target = target
        self.folder = folder
        self.parts = parts
    }

    private static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "rejoin-probe-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// Ends everything, and leaves nothing behind on this machine.
    package func close() async {
        await clear()
        await house?.stop()
        model?.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Takes the devices away.
    func clear() async {
        let devices = state.withLock { state in
            defer { state.devices = [] }
            return state.devices
        }
        for device in devices { await device.close() }
    }

    // MARK: The server

    var address: String { house?.address ?? target?.address ?? "" }

    // Sixty words at twenty a second: long enough for a person to do something meanwhile, on a busy machine too.
    private static let steady = "paced-60-20"
    private static let quick = "short"
    // Refuses, and says that it may be asked again in an hour.
    private static let limited = "error-429-3600"

    /// A model that takes a while over an answer.
    var steadyModel: String { target?.model ?? Self.steady }
    /// One that answers at once.
    var quickModel: String { target?.model ?? Self.quick }
    /// One whose limit is reached; nil where none is known.
    var limitedModel: String? { target == nil ? Self.limited : nil }
    /// What the steady model says; nil where nobody knows beforehand.
    var steadyText: String? { target == nil ? (0..<60).map { "tok\($0) " }.joined() : nil }
    /// A prompt that is answered at some length.
    var longPrompt: String { "Count from one to eighty in words, one number a line, and say nothing else." }
    /// A prompt that is not.
    func shortPrompt(_ subject: String) -> String { "Say in one short sentence what \(subject) is." }

    /// Lets the next answer be another one, where the model is the stage's own.
    func changeTheModelsMind() { model?.playNext(.answer(["On ", "second ", "thought, ", "no."])) }

    /// How often a model was asked; nil where it cannot be seen.
    var runs: Int? { model?.started }

    // MARK: People and devices

    /// Somebody with an account of their own, as far as the stage can make accounts.
    func person() async throws -> Person {
        let number = state.withLock { state in
            state.people += 1
            return state.people
        }
        let account: AccountID = IDSource.system.make()
        guard let house else { return Person(token: target?.token ?? "", account: account) }
        return Person(token: try await house.addAccount("person\(number)"), account: account)
    }

    /// A device with the app open, once the server has answered it.
    ///
    /// - Parameter folder: where its stores are; another device's name for a second account on that device.
    func device(_ name: String, of person: Person, on folder: String? = nil) async throws -> Device {
        let network = try Network(to: address, transport: CurlTransport())
        var configuration = ConversationClient.Configuration()
        parts.configure(&configuration)
        let location = ConversationClient.Location(
            folder: self.folder + "/devices/" + (folder ?? name), account: person.account)
        let device = Device(
            person, network: network, transport: parts.transport(network.transport, name),
            location: parts.keepsStore ? location : nil, configuration: configuration)
        state.withLock { $0.devices.append(device) }
        try await device.start()
        _ = await device.watch { $0.connection != ConnectionState.reconnecting(attempt: 0).words }
        return device
    }

    /// Speaks to the server without a client of ours, for what our clients do not know yet.
    func transport(_ name: String) -> any Transport { parts.transport(CurlTransport(), name) }
}
