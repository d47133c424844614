package import RejoinCore

/// Who may use one model next: a value without clock or task, so that every order of events can be tested.
///
/// As many answers run as the model has room for; the rest wait. Accounts take turns: an account with a hundred
/// prompts waits its turn behind an account with one. A place is reserved before a turn is admitted, so that a refusal
/// stores nothing.
package struct RunQueue: Sendable {
    /// What to do after a change.
    package enum Action: Equatable, Sendable {
        case start(AnswerID)
        /// The answer's place in line, from 1, is now this.
        case position(AnswerID, Int)
    }

    /// The most that may run, wait, and wait for one account.
    package struct Bounds: Equatable, Sendable {
        package var running: Int
        package var waiting: Int
        package var waitingPerAccount: Int

        package init(running: Int, waiting: Int, waitingPerAccount: Int) {
            self.running = running
            self.waiting = waiting
            self.waitingPerAccount = waitingPerAccount
        }
    }

    private let bounds: Bounds
    private var running: Set<AnswerID> = []
    private var line: [AccountID: [AnswerID]] = [:]
    /// Accounts that wait, in the order of their next turn.
    private var ring: [AccountID] = []
    private var reserved: [AccountID: Int] = [:]
    private var told: [AnswerID: Int] = [:]

    package init(_ bounds: Bounds) { self.bounds = bounds }

    /// How many run.
    package var runningCount: Int { running.count }
    /// How many wait.
    package var waitingCount: Int { line.values.reduce(0) { $0 + $1.count } }

    /// Reserves a place for a turn that is about to be admitted.
    ///
    /// - Throws: a ``Problem`` of kind `queueFull` when the line, or the account's part of it, is full.
    package mutating func reserve(_ account: AccountID) throws(Problem) {
        let reservations = reserved.values.reduce(0, +)
        let free = bounds.running - running.count
        if free - reservations <= 0 {
            let waiting = waitingCount + max(0, reservations - max(0, free))
            guard waiting < bounds.waiting else {
                throw Problem(.queueFull, "\(waiting) prompts wait for this model already.", retryAfter: 10)
            }
            let own = (line[account]?.count ?? 0) + (reserved[account] ?? 0)
            guard own < bounds.waitingPerAccount else {
                throw Problem(.queueFull, "\(own) prompts of this account wait already.", retryAfter: 10)
            }
        }
        reserved[account, default: 0] += 1
    }

    /// Gives a reserved place back.
    package mutating func release(_ account: AccountID) {
        guard let count = reserved[account] else { return }
        reserved[account] = count > 1 ? count - 1 : nil
    }

    /// Puts an admitted answer in line; its reservation is given back by whoever holds it.
    package mutating func enqueue(_ answer: AnswerID, of account: AccountID) -> [Action] {
        if line[account] == nil { ring.append(account) }
        line[account, default: []].append(answer)
        return advance()
    }

    /// Takes an answer out, whether it runs or waits.
    package mutating func remove(_ answer: AnswerID) -> [Action] {
        told[answer] = nil
        if running.remove(answer) == nil {
            for (account, answers) in line {
                guard let index = answers.firstIndex(of: answer) else { continue }
                line[account]?.remove(at: index)
                if line[account]?.isEmpty == true {
                    line[account] = nil
                    ring.removeAll { $0 == account }
                }
                break
            }
        }
        return advance()
    }

    /// Whether an answer is in line and does not run yet.
    package func isWaiting(_ answer: AnswerID) -> Bool { line.values.contains { $0.contains(answer) } }

    private mutating func advance() -> [Action] {
        var actions: [Action] = []
        while running.count < bounds.running, let account = ring.first {
            ring.removeFirst()
            guard var answers = line[account], !answers.isEmpty else { continue }
            let answer = answers.removeFirst()
            line[account] = answers.isEmpty ? nil : answers
            if !answers.isEmpty { ring.append(account) }
            running.insert(answer)
            told[answer] = nil
            actions.append(.start(answer))
        }
        if !ring.isEmpty { actions += newPositions() }
        return actions
    }

    /// Places that changed, as they will be served.
    ///
    /// Far places are told in tens: a long line must not talk all the time.
    private mutating func newPositions() -> [Action] {
        var actions: [Action] = []
        var position = 0
        var round = 0
        var accounts = ring
        while !accounts.isEmpty {
            accounts.removeAll { (line[$0]?.count ?? 0) <= round }
            for account in accounts {
                guard let answer = line[account]?[round] else { continue }
                position += 1
                let shown = position <= 10 ? position : (position + 9) / 10 * 10
                if told[answer] != shown {
                    told[answer] = shown
                    actions.append(.position(answer, shown))
                }
            }
            round += 1
        }
        return actions
    }
}
