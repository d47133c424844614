import Foundation
import RejoinAssist
import RejoinCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ModelDeliveryTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    private static let yes = Timestamp(milliseconds: 1_800_000_000_000)

    private static func offer(_ content: [UInt8] = content) -> ModelOffer {
        var hash = SHA256()
        hash.update(content)
        return ModelOffer(name: "model.gguf", bytes: content.count, sha256: hash.finish())
    }

    private func delivery(
        _ source: ScriptedSource, _ storage: any DeliveryStorage, offer: ModelOffer = offer(),
        notOffered: DeliveryState.Reason? = nil
    ) -> ModelDelivery {
        ModelDelivery(offer, source: source, storage: storage, notOffered: notOffered)
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "delivery-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test("R34 nothing is fetched before a yes to the very offer, size included")
    func optIn() async throws {
        let source = ScriptedSource(Self.content)
        let storage = MemoryStorage()
        let delivery = delivery(source, storage)
        #expect(delivery.state == .offered(bytes: Self.content.count))
        var other = Self.offer()
        other = ModelOffer(name: other.name, bytes: other.bytes - 1, sha256: other.sha256)
        #expect(!delivery.start(DeliveryOptIn(to: other, at: Self.yes)))
        #expect(delivery.state == .failed(.offerChanged))
        #expect(source.opened.isEmpty)
        #expect(delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes)))
        #expect(await delivery.settled() == .ready)
        #expect(source.opened == [0])
        #expect(!delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes)))
    }

    @Test("R34 a device that is not offered the model fetches nothing")
    func notOffered() async {
        let source = ScriptedSource(Self.content)
        let delivery = delivery(source, MemoryStorage(), notOffered: .memory)
        #expect(!delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes)))
        await delivery.remove()
        #expect(delivery.state == .notOffered(.memory))
        #expect(source.opened.isEmpty)
    }

    @Test("R34 progress never goes back, and the steps come in order")
    func progress() async throws {
        let storage = MemoryStorage()
        let delivery = delivery(ScriptedSource(Self.content), storage)
        let seen = Task {
            var states: [DeliveryState] = []
            for await state in delivery.states() {
                states.append(state)
                if state == .ready { break }
            }
            return states
        }
        #expect(delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes)))
        #expect(await delivery.settled() == .ready)
        let states = await seen.value
        let done = states.compactMap { if case .downloading(let done, _) = $0 { done } else { nil } }
        #expect(done == done.sorted())
        #expect(states.last == .ready)
        #expect(storage.installed == Self.content)
    }

    @Test func `what broke off goes on from there, also after a restart`() async throws {
        try await inFolder { folder in
            let storage = FolderStorage(folder: folder)
            let first = delivery(ScriptedSource(Self.content, breakingAfter: 100_000), storage)
            #expect(first.start(DeliveryOptIn(to: first.offer, at: Self.yes)))
            #expect(await first.settled() == .failed(.sourceFailed))
            let kept = storage.partBytes("model.gguf")
            #expect(kept == 120_000)
            let source = ScriptedSource(Self.content)
            let second = delivery(source, storage)
            #expect(second.start(DeliveryOptIn(to: second.offer, at: Self.yes)))
            #expect(await second.settled() == .ready)
            #expect(source.opened == [kept])
            let file = try Data(contentsOf: URL(filePath: storage.path(of: "model.gguf")))
            #expect(Array(file) == Self.content)
            #expect(storage.partBytes("model.gguf") == 0)
            // A new start of the app finds it ready.
            #expect(delivery(source, storage).state == .ready)
            await second.remove()
            #expect(second.state == .offered(bytes: Self.content.count))
            #expect(storage.installedBytes("model.gguf") == nil)
        }
    }

    @Test func `a source without ranges begins anew`() async {
        let storage = MemoryStorage(part: Array(Self.content[..<1000]))
        let source = ScriptedSource(Self.content, knowsRanges: false)
        let delivery = delivery(source, storage)
        delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes))
        #expect(await delivery.settled() == .ready)
        #expect(storage.installed == Self.content)
    }

    @Test func `a file that is not the one offered is deleted and never installed`() async {
        var changed = Self.content
        changed[123_456] ^= 1
        let storage = MemoryStorage()
        let delivery = delivery(ScriptedSource(changed), storage)
        delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes))
        #expect(await delivery.settled() == .failed(.digestDiffers))
        #expect(storage.installed == nil)
        #expect(storage.partBytes("model.gguf") == 0)
    }

    @Test func `a source with another size, or with more than it said, is refused`() async {
        for source in [ScriptedSource(Self.content + [1]), ScriptedSource(Self.content + [1], saysTotal: false)] {
            let delivery = delivery(source, MemoryStorage())
            delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes))
            #expect(await delivery.settled() == .failed(.sourceChanged))
        }
    }

    @Test func `too little space is said before anything is fetched`() async {
        let source = ScriptedSource(Self.content)
        let delivery = delivery(source, MemoryStorage(free: 1000))
        delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes))
        #expect(await delivery.settled() == .failed(.noSpace(needed: Self.content.count + 64 << 20, free: 1000)))
        #expect(source.opened.isEmpty)
    }

    @Test func `a stop keeps what came, and a storage that refuses is told as such`() async {
        let gate = ScriptedGate()
        let storage = MemoryStorage()
        let delivery = delivery(ScriptedSource(Self.content, gate: gate), storage)
        delivery.start(DeliveryOptIn(to: delivery.offer, at: Self.yes))
        #expect(await eventually { gate.waiting == 1 })
        await delivery.stop()
        #expect(delivery.state == .failed(.cancelled))
        #expect(storage.partBytes("model.gguf") > 0)

        let full = self.delivery(ScriptedSource(Self.content), MemoryStorage(refuses: true))
        full.start(DeliveryOptIn(to: full.offer, at: Self.yes))
        #expect(await full.settled() == .failed(.storageFailed))
    }

    @Test func `a name cannot lead out of the folder`() async throws {
        try await inFolder { folder in
            let storage = FolderStorage(folder: folder + "/models")
            try storage.append([1], to: "../escaped")
            #expect(FileManager.default.fileExists(atPath: folder + "/models/.._escaped.part"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["models"])
        }
    }
}

@Suite struct SHA256Tests {
    private func hash(_ bytes: [UInt8], pieces: Int = .max) -> String {
        var hash = SHA256()
        var rest = bytes[...]
        repeat {
            hash.update(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        } while !rest.isEmpty
        return hash.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func `gives the hashes of the standard's examples`() {
        #expect(hash([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hash(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(hash(Array(two.utf8)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        #expect(hash(long) == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
    }

    @Test func `gives the same hash however the bytes come`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        for pieces in [1, 3, 63, 64, 65, 128, 999] { #expect(hash(bytes, pieces: pieces) == hash(bytes)) }
    }
}

/// A source in memory.
private final class ScriptedSource: ByteSource {
    private let content: [UInt8]
    private let breakingAfter: Int
    private let knowsRanges: Bool
    private let saysTotal: Bool
    private let gate: ScriptedGate?
    private let state = Mutex([Int]())

    init(
        _ content: [UInt8], breakingAfter: Int = .max, knowsRanges: Bool = true, saysTotal: Bool = true,
        gate: ScriptedGate? = nil
    ) {
        self.content = content
        self.breakingAfter = breakingAfter
        self.knowsRanges = knowsRanges
        self.saysTotal = saysTotal
        self.gate = gate
    }

    /// The offsets from which it was opened.
    var opened: [Int] { state.withLock { $0 } }

    func open(from offset: Int) async throws -> any ByteStream {
        state.withLock { $0.append(offset) }
        return Stream(source: self, start: knowsRanges ? offset : 0)
    }

    private struct Broken: Error {}

    private final class Stream: ByteStream {
        private let source: ScriptedSource
        let start: Int
        private let position: Mutex<Int>

        init(source: ScriptedSource, start: Int) {
            self.source = source
            self.start = start
            position = Mutex(start)
        }

        var total: Int? { source.saysTotal ? source.content.count : nil }

        func next() async throws -> [UInt8]? {
            let at = position.withLock { $0 }
            if at - start >= source.breakingAfter { throw Broken() }
            if at > start, let gate = source.gate { await gate.pass() }
            guard at < source.content.count else { return nil }
            let piece = Array(source.content[at...].prefix(40_000))
            position.withLock { $0 += piece.count }
            return piece
        }
    }
}

/// A storage in memory.
private final class MemoryStorage: DeliveryStorage {
    private struct Refused: Error {}

    private let state: Mutex<(part: [UInt8], whole: [UInt8]?)>
    private let free: Int?
    private let refuses: Bool

    init(part: [UInt8] = [], free: Int? = nil, refuses: Bool = false) {
        state = Mutex((part, nil))
        self.free = free
        self.refuses = refuses
    }

    var installed: [UInt8]? { state.withLock { $0.whole } }

    func installedBytes(_ name: String) -> Int? { state.withLock { $0.whole?.count } }
    func partBytes(_ name: String) -> Int { state.withLock { $0.part.count } }
    func freeBytes() -> Int? { free }
    func append(_ bytes: [UInt8], to name: String) throws {
        if refuses { throw Refused() }
        state.withLock { $0.part += bytes }
    }
    func read(_ name: String, from offset: Int, count: Int) throws -> [UInt8] {
        state.withLock { Array($0.part.dropFirst(offset).prefix(count)) }
    }
    func install(_ name: String) throws { state.withLock { $0 = ([], $0.part) } }
    func discardPart(_ name: String) throws { state.withLock { $0.part = [] } }
    func remove(_ name: String) throws { state.withLock { $0 = ([], nil) } }
}
