/// Tasks that wait for a connection to get on.
struct Waiters {
    private var entries: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func append(_ continuation: CheckedContinuation<Void, Never>, number: Int) {
        entries.append((number, continuation))
    }

    mutating func remove(_ number: Int) -> CheckedContinuation<Void, Never>? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        return entries.remove(at: index).continuation
    }

    mutating func removeAll() -> [CheckedContinuation<Void, Never>] {
        if entries.isEmpty { return [] }
        defer { entries = [] }
        return entries.map(\.continuation)
    }
}
