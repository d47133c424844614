package import RejoinCore
internal import Foundation
internal import SQLite
internal import Synchronization

/// Carries out exports and imports, one after the other, on a thread of its own.
///
/// A task is in the store from the moment that it is accepted; how far it is between two states is known here alone.
package final class TaskRunner: Sendable {
    private let store: any Store
    private let folder: String
    private let surroundings: Surroundings
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var waiting: [TaskRecord] = []
        /// Tasks that are not over, as far as they are, each with a number that grows with it.
        var live: [TaskID: (task: TaskRecord, revision: Int)] = [:]
        var cancelled: [TaskID: String] = [:]
        var isPreparing: Set<TaskID> = []
        var listeners: [TaskID: [Int: CheckedContinuation<Void, Never>]] = [:]
        var nextTicket = 0
        var worker: CheckedContinuation<Void, Never>?
        var isClosed = false
        /// The thread of the tasks; started with the first.
        var executor: QueueExecutor?
    }

    /// A task is to stop, for a reason; nil if a person asked for it.
    private struct Stopped: Error { var reason: String? }

    /// - Parameter folder: where archives are kept; made when it is needed.
    package init(store: any Store, folder: String, surroundings: Surroundings, logger: Logger) {
        self.store = store
        self.folder = folder
        self.surroundings = surroundings
        self.logger = logger
    }

    /// The archive of an export, or what came in for an import.
    package func file(of id: TaskID) -> String { folder + "/\(id)" }

    private var executor: QueueExecutor {
        state.withLock { state in
            if let executor = state.executor { return executor }
            let executor = QueueExecutor(label: "tasks")
            state.executor = executor
            return executor
        }
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func removeFile(of id: TaskID) {
        for path in [file(of: id), file(of: id) + ".part"] { try? FileManager.default.removeItem(atPath: path) }
    }

    // MARK: Asking

    /// Accepts an export; asked again under the same id, it is the same task.
    ///
    /// - Throws: a ``Problem`` if the id is taken, or too many tasks of the account are not over.
    package func export(_ id: TaskID, for account: AccountID) async throws -> TaskRecord {
        if let known = try await store.task(id, of: account) { return known }
        return try await accept(TaskRecord(id: id, account: account, kind: .export, createdAt: surroundings.wall()))
    }

    /// Takes what is to be imported, piece by piece, and accepts the import of it.
    ///
    /// - Throws: a ``Problem`` if the id is taken, too much comes, or too many tasks of the account are not over.
    package func importing(
        _ id: TaskID, for account: AccountID, limit: Int, nextPiece: () async throws -> ArraySlice<UInt8>?
    ) async throws -> TaskRecord {
        try await refuseTooMany(account)
        guard state.withLock({ $0.isPreparing.insert(id).inserted }) else {
            throw Problem(.conflict, "The same import is coming in already.")
        }
        defer { state.withLock { _ = $0.isPreparing.remove(id) } }
        let path = file(of: id)
        do {
            try makeFolder()
            // The file of another account's task of that id must not be touched either.
            guard try await store.task(id, of: account) == nil, !FileManager.default.fileExists(atPath: path),
                FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
                let handle = FileHandle(forWritingAtPath: path)
            else { throw Problem(.conflict, "The id is taken.") }
            defer { try? handle.close() }
            var size = 0
            while let piece = try await nextPiece() {
                size += piece.count
                guard size <= limit else { throw Problem(.payloadTooLarge, "An import has at most \(limit) bytes.") }
                try await write(Array(piece), to: handle)
            }
            var task = TaskRecord(id: id, account: account, kind: .import, createdAt: surroundings.wall())
            task.total = size
            return try await accept(task)
        } catch let problem as Problem where problem.kind == .conflict {
            throw problem
        } catch {
            removeFile(of: id)
            throw error
        }
    }

    private func write(_ bytes: [UInt8], to handle: FileHandle) async throws {
        try await withTaskExecutorPreference(executor) { try handle.write(contentsOf: bytes) }
    }

    private static let mostAtOnce = 4

    private func refuseTooMany(_ account: AccountID) async throws {
        let unfinished = try await store.tasks(of: account).filter { !$0.state.isFinal }.count
        guard unfinished < Self.mostAtOnce else {
            throw Problem(.queueFull, "\(unfinished) tasks of this account are not over yet.", retryAfter: 10)
        }
    }

    private func accept(_ task: TaskRecord) async throws -> TaskRecord {
        try await refuseTooMany(task.account)
        guard try await store.createTask(task) else { throw Problem(.conflict, "The id is taken.") }
        enqueue(task)
        return task
    }

    private func enqueue(_ task: TaskRecord) {
        let worker = state.withLock { state in
            state.waiting.append(task)
            state.live[task.id] = (task, 1)
            defer { state.worker = nil }
            return state.worker
        }
        worker?.resume()
    }

    /// A task as far as it is; nil if the account has none of that id.
    package func task(_ id: TaskID, of account: AccountID) async throws -> TaskRecord? {
        guard let kept = try await store.task(id, of: account) else { return nil }
        return kept.state.isFinal ? kept : state.withLock { $0.live[id]?.task } ?? kept
    }

    /// Waits until a task is further than a revision, or over.
    ///
    /// - Returns: the revision it is at; nil once it is over.
    package func wait(for id: TaskID, beyond revision: Int) async -> Int? {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    let isFurther = state.live[id].map { $0.revision > revision } ?? true
                    if isFurther || state.isClosed || Task.isCancelled { return true }
                    state.listeners[id, default: [:]][ticket] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.listeners[id]?.removeValue(forKey: ticket) }?.resume()
        }
        return state.withLock { $0.isClosed ? nil : $0.live[id]?.revision }
    }

    /// Stops a task if it is not over, and forgets it with its archive; false if the account has none of that id.
    package func delete(_ id: TaskID, of account: AccountID) async throws -> Bool {
        guard try await store.deleteTask(id, of: account, now: surroundings.wall()) else { return false }
        stop(id, nil)
        removeFile(of: id)
        return true
    }

    /// Something of the account was deleted: archives made before hold it still, so they go.
    package func outdate(_ account: AccountID) async throws {
        for var task in try await store.tasks(of: account) where task.kind == .export {
            if !task.state.isFinal { stop(task.id, "outdated") }
            guard task.state == .done, task.resultBytes != nil else { continue }
            task.resultBytes = nil
            task.reason = "outdated"
            removeFile(of: task.id)
            _ = try await store.updateTask(task, now: surroundings.wall())
        }
    }

    /// The account is closed: its tasks are gone from the store, and their files go too.
    package func forget(_ tasks: [TaskRecord]) {
        for task in tasks {
            stop(task.id, nil)
            removeFile(of: task.id)
        }
    }

    private func stop(_ id: TaskID, _ reason: String?) {
        let isLive = state.withLock { state in
            guard state.live[id] != nil else { return false }
            state.cancelled[id] = reason ?? ""
            return true
        }
        if isLive { wake(id) }
    }

    private func wake(_ id: TaskID) {
        let listeners = state.withLock { Array(($0.listeners.removeValue(forKey: id) ?? [:]).values) }
        for listener in listeners { listener.resume() }
    }

    // MARK: Working

    /// Works until cancelled; begins with what an earlier process left.
    package func run() async {
        await recover()
        await withTaskCancellationHandler {
            while !Task.isCancelled {
                guard let task = await next() else { return }
                await carryOut(task)
            }
        } onCancel: {
            close()
        }
    }

    private func close() {
        let (worker, listeners) = state.withLock { state in
            state.isClosed = true
            defer { (state.worker, state.listeners) = (nil, [:]) }
            return (state.worker, state.listeners.values.flatMap(\.values))
        }
        worker?.resume()
        for listener in listeners { listener.resume() }
    }

    /// An export begins again; an import too, for what it added already is not added twice.
    private func recover() async {
        do {
            for task in try await store.unfinishedTasks() where state.withLock({ $0.live[task.id] == nil }) {
                enqueue(task)
            }
        } catch {
            logger.log(.error, "tasks", ["code": (error as? StoreFailure)?.code.name ?? "other"])
        }
    }

    private func next() async -> TaskRecord? {
        while true {
            let (task, isClosed) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
            }
            if isClosed { return nil }
            if let task { return task }
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if !state.waiting.isEmpty || state.isClosed { return true }
                    state.worker = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        }
    }

    private func carryOut(_ waiting: TaskRecord) async {
        var task = waiting
        do {
            try advance(task)
            task.state = .running
            guard try await save(task) else { throw Stopped() }
            task = try await withTaskExecutorPreference(executor) { [task] in
                task.kind == .export ? try await self.makeArchive(task) : try await self.readArchive(task)
            }
            task.state = .done
        } catch let stopped as Stopped {
            task.state = stopped.reason == nil ? .cancelled : .failed
            task.reason = stopped.reason
        } catch is CancellationError {
            return
        } catch {
            if state.withLock({ $0.isClosed }) { return }
            task.state = .failed
            task.reason = Self.reason(error)
            logger.log(.error, "task", ["kind": task.kind.rawValue, "reason": task.reason ?? ""])
        }
        if task.kind == .import || task.state != .done { removeFile(of: task.id) }
        task.endedAt = surroundings.wall()
        let isKept = (try? await save(task)) ?? false
        // Deleted while it ran: what it made goes with it.
        if !isKept { removeFile(of: task.id) }
        state.withLock { state in
            state.live[task.id] = nil
            state.cancelled[task.id] = nil
        }
        wake(task.id)
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let failure as StoreFailure: failure.code == .full ? "disk-full" : "storage"
        case ArchiveReader.Failure.zip: "zip"
        case ArchiveReader.Failure.damaged: "damaged"
        default: "file"
        }
    }

    private func save(_ task: TaskRecord) async throws -> Bool {
        try await store.updateTask(task, now: surroundings.wall())
    }

    /// Shows how far a task is.
    ///
    /// - Throws: ``Stopped`` if it is to stop.
    private func advance(_ task: TaskRecord) throws {
        let (stopped, isClosed): (String?, Bool) = state.withLock { state in
            if let live = state.live[task.id] { state.live[task.id] = (task, live.revision + 1) }
            return (state.cancelled[task.id], state.isClosed)
        }
        if isClosed { throw CancellationError() }
        if let stopped { throw Stopped(reason: stopped.isEmpty ? nil : stopped) }
        wake(task.id)
    }

    private func makeArchive(_ task: TaskRecord) async throws -> TaskRecord {
        var task = task
        guard let account = try await store.account(task.account) else { throw Stopped() }
        try makeFolder()
        var writer = try ArchiveWriter(path: file(of: task.id))
        try await Exporter(store: store, account: account, now: surroundings.wall()).run {
            try writer.write($0)
        } progress: { done, total in
            (task.done, task.total) = (done, total)
            try advance(task)
        }
        try writer.finish()
        task.resultBytes = writer.size
        return task
    }

    private func readArchive(_ task: TaskRecord) async throws -> TaskRecord {
        var task = task
        var reader = try ArchiveReader(path: file(of: task.id))
        var importer = Importer(store: store, account: task.account, now: task.createdAt)
        while let bytes = try reader.next() {
            try await importer.take(bytes)
            task.done = reader.bytesRead
            task.report = importer.report.json
            try advance(task)
        }
        try await importer.endFile()
        task.report = importer.report.json
        return task
    }

    /// Forgets tasks that ended before a moment, with their archives.
    package func expire(before: Timestamp) async throws {
        for task in try await store.tasks(endedBefore: before) { _ = try await delete(task.id, of: task.account) }
    }
}
