internal import Synchronization

/// Brings an app's own model to the device, once a person has agreed to its size.
///
/// It is in no package: it is fetched, resumed where it broke off, checked, and only then given its name.
public final class ModelDelivery: Sendable {
    /// The model.
    public let offer: ModelOffer
    private let source: any ByteSource
    private let storage: any DeliveryStorage
    private let makeDigest: @Sendable () -> any DeliveryDigest
    private let inner: Mutex<Inner>

    private struct Inner {
        var state: DeliveryState
        var work: Task<Void, Never>?
        var watchers: [Int: AsyncStream<DeliveryState>.Continuation] = [:]
        var lastWatcher = 0

        mutating func set(_ state: DeliveryState) {
            self.state = state
            for watcher in watchers.values { watcher.yield(state) }
        }
    }

    /// Space that must be left when the model is there, in bytes.
    private static let spareBytes = 64 << 20
    private static let readBytes = 1 << 20

    /// Looks what is there; nothing is fetched.
    ///
    /// - Parameters:
    ///   - notOffered: why this device is not offered the model; nil where it is.
    ///   - makeDigest: makes what checks the file.
    public init(
        _ offer: ModelOffer, source: any ByteSource, storage: any DeliveryStorage,
        notOffered: DeliveryState.Reason? = nil,
        makeDigest: @escaping @Sendable () -> any DeliveryDigest = { SHA256() }
    ) {
        self.offer = offer
        self.source = source
        self.storage = storage
        self.makeDigest = makeDigest
        let state: DeliveryState
        if let notOffered {
            state = .notOffered(notOffered)
        } else if storage.installedBytes(offer.name) == offer.bytes {
            // It got its name after its hash was checked.
            state = .ready
        } else {
            state = .offered(bytes: offer.bytes)
        }
        inner = Mutex(Inner(state: state))
    }

    /// Where the delivery stands.
    public var state: DeliveryState { inner.withLock { $0.state } }

    /// Where the delivery stands, now and at each change; a slow reader misses steps in between, never the last.
    public func states() -> AsyncStream<DeliveryState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeliveryState.self, bufferingPolicy: .bufferingNewest(1))
        let number = inner.withLock { inner in
            inner.lastWatcher += 1
            inner.watchers[inner.lastWatcher] = continuation
            continuation.yield(inner.state)
            return inner.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.inner.withLock { $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Begins to fetch, or goes on where it was.
    ///
    /// - Parameter optIn: the person's yes; where it is to another offer, nothing is fetched.
    /// - Returns: false where there is nothing to begin: it is under way, ready, or not offered.
    @discardableResult
    public func start(_ optIn: DeliveryOptIn) -> Bool {
        let done = min(storage.partBytes(offer.name), offer.bytes)
        return inner.withLock { inner in
            switch inner.state {
            case .offered, .failed: break
            case .notOffered, .downloading, .verifying, .ready, .removing: return false
            }
            guard inner.work == nil else { return false }
            guard optIn.offer == offer else {
                inner.set(.failed(.offerChanged))
                return false
            }
            inner.set(.downloading(done: done, of: offer.bytes))
            // The delivery goes on when the view that began it is gone; `stop()` and `remove()` cancel it.
            inner.work = Task { await self.deliver() }
            return true
        }
    }

    /// Stops fetching; what came is kept.
    public func stop() async {
        let work = inner.withLock { $0.work }
        work?.cancel()
        await work?.value
    }

    /// Deletes the model and what a fetch may have left.
    public func remove() async {
        await stop()
        let goesOn = inner.withLock { inner in
            guard inner.work == nil else { return false }
            if case .notOffered = inner.state { return false }
            inner.set(.removing)
            return true
        }
        guard goesOn else { return }
        do {
            try storage.remove(offer.name)
            set(.offered(bytes: offer.bytes))
        } catch {
            set(.failed(.storageFailed))
        }
    }

    /// Waits until nothing is under way.
    public func settled() async -> DeliveryState {
        await inner.withLock { $0.work }?.value
        return state
    }

    // MARK: Work

    private func deliver() async {
        let end: DeliveryState
        do throws(DeliveryState.Failure) {
            try checkSpace()
            try await fetch()
            set(.verifying)
            try await verify()
            try keep { try storage.install(offer.name) }
            end = .ready
        } catch {
            end = .failed(error)
        }
        inner.withLock { inner in
            inner.work = nil
            inner.set(end)
        }
    }

    private func checkSpace() throws(DeliveryState.Failure) {
        guard let free = storage.freeBytes() else { return }
        let rest = max(0, offer.bytes - storage.partBytes(offer.name))
        let (needed, isTooMuch) = rest.addingReportingOverflow(Self.spareBytes)
        guard !isTooMuch, free >= needed else { throw .noSpace(needed: isTooMuch ? .max : needed, free: free) }
    }

    private func fetch() async throws(DeliveryState.Failure) {
        var done = storage.partBytes(offer.name)
        if done > offer.bytes { done = try restart() }
        while done < offer.bytes {
            let stream = try await pulled { try await source.open(from: done) }
            if let total = stream.total, total != offer.bytes { throw .sourceChanged }
            // A source without ranges begins anew, and so must the part.
            if stream.start != done {
                guard stream.start == 0 else { throw .sourceFailed }
                done = try restart()
            }
            let before = done
            while let bytes = try await pulled({ try await stream.next() }) {
                guard bytes.count <= offer.bytes - done else {
                    _ = try restart()
                    throw .sourceChanged
                }
                try keep { try storage.append(bytes, to: offer.name) }
                done += bytes.count
                set(.downloading(done: done, of: offer.bytes))
            }
            // An orderly end in the middle is a source that gave less than it has.
            guard done > before else { throw .sourceFailed }
        }
    }

    private func restart() throws(DeliveryState.Failure) -> Int {
        try keep { try storage.discardPart(offer.name) }
        set(.downloading(done: 0, of: offer.bytes))
        return 0
    }

    private func verify() async throws(DeliveryState.Failure) {
        var digest = makeDigest()
        var offset = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            let bytes = try keep { try storage.read(offer.name, from: offset, count: Self.readBytes) }
            if bytes.isEmpty { break }
            digest.update(bytes)
            offset += bytes.count
            // A gigabyte takes seconds; others want the thread too.
            await Task.yield()
        }
        guard digest.finish() == offer.sha256 else {
            try keep { try storage.discardPart(offer.name) }
            throw .digestDiffers
        }
    }

    private func pulled<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws(DeliveryState.Failure) -> Value {
        if Task.isCancelled { throw .cancelled }
        do {
            let value = try await body()
            if Task.isCancelled { throw DeliveryState.Failure.cancelled }
            return value
        } catch {
            throw Task.isCancelled || error is CancellationError ? .cancelled : .sourceFailed
        }
    }

    private func keep<Value>(_ body: () throws -> Value) throws(DeliveryState.Failure) -> Value {
        do { return try body() } catch { throw .storageFailed }
    }

    private func set(_ state: DeliveryState) {
        inner.withLock { $0.set(state) }
    }
}
