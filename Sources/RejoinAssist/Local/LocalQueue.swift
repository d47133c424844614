/// Who may use the one model next: a value without clock or task, so that every order of events can be tested.
///
/// At most one job is in the gate. Callers with equal tasks share a job; a job without callers is worth nothing.
struct LocalQueue: Sendable {
    /// One run of the model, and who waits for it.
    struct Job: Sendable, Equatable {
        let id: Int
        let task: ModelTask
        var callers: [Caller]
    }

    /// Somebody who waits for a job.
    struct Caller: Sendable, Equatable {
        let id: Int
        let key: SupersedeKey?
    }

    /// What came of a request.
    struct Submission: Equatable {
        /// The line is full: nothing was taken in.
        var isBusy = false
        /// Callers whose request is obsolete by this one.
        var superseded: [Int] = []
        /// Nobody waits for the running job any more: it is to be cancelled.
        var stopsRunning = false
    }

    private let mostWaiting: Int
    private var nextJob = 0
    /// The job in the gate, if it is a job.
    private(set) var running: Job?
    private var waiting: [Job] = []
    /// True from the moment that somebody goes into the gate until they have left it.
    private(set) var isOccupied = false

    init(mostWaiting: Int) { self.mostWaiting = max(0, mostWaiting) }

    /// How many jobs wait.
    var waitingCount: Int { waiting.count }

    /// Takes a request in, beside an equal one where there is one.
    mutating func submit(_ task: ModelTask, from caller: Caller) -> Submission {
        var submission = Submission()
        if let key = caller.key { supersede(key, unless: task, &submission) }
        if var job = running, !job.callers.isEmpty, job.task == task {
            job.callers.append(caller)
            running = job
        } else if let index = waiting.firstIndex(where: { $0.task == task }) {
            waiting[index].callers.append(caller)
        } else if waiting.count >= mostWaiting + (isOccupied ? 0 : 1) {
            // Into a free gate one may go at once, also where nobody may wait.
            submission.isBusy = true
        } else {
            nextJob += 1
            waiting.append(Job(id: nextJob, task: task, callers: [caller]))
        }
        return submission
    }

    private mutating func supersede(_ key: SupersedeKey, unless task: ModelTask, _ submission: inout Submission) {
        for index in waiting.indices where waiting[index].task != task {
            submission.superseded += waiting[index].callers.filter { $0.key == key }.map(\.id)
            waiting[index].callers.removeAll { $0.key == key }
        }
        waiting.removeAll { $0.callers.isEmpty }
        guard var job = running, job.task != task else { return }
        let obsolete = job.callers.filter { $0.key == key }
        guard !obsolete.isEmpty else { return }
        submission.superseded += obsolete.map(\.id)
        job.callers.removeAll { $0.key == key }
        running = job
        submission.stopsRunning = job.callers.isEmpty
    }

    /// Takes a caller out who no longer waits.
    ///
    /// - Returns: whether the running job is to be cancelled.
    mutating func leave(_ caller: Int) -> Bool {
        for index in waiting.indices { waiting[index].callers.removeAll { $0.id == caller } }
        waiting.removeAll { $0.callers.isEmpty }
        guard var job = running, job.callers.contains(where: { $0.id == caller }) else { return false }
        job.callers.removeAll { $0.id == caller }
        running = job
        return job.callers.isEmpty
    }

    /// Lets the next job into the gate; nil while somebody is in it.
    mutating func next() -> Job? {
        guard !isOccupied, !waiting.isEmpty else { return nil }
        isOccupied = true
        running = waiting.removeFirst()
        return running
    }

    /// Goes into the gate without a job; false while somebody is in it.
    mutating func occupy() -> Bool {
        guard !isOccupied else { return false }
        isOccupied = true
        return true
    }

    /// Leaves the gate.
    ///
    /// - Returns: the callers of the job that was in it.
    mutating func release() -> [Int] {
        defer { running = nil }
        isOccupied = false
        return running?.callers.map(\.id) ?? []
    }
}

/// What makes an earlier request obsolete: a later one with an equal key, such as one text field's.
public struct SupersedeKey: Sendable, Hashable {
    private let name: String

    /// Names the place whose newest request alone counts.
    public init(_ name: String) { self.name = name }
}
