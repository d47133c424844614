/// Due times of many streams, at the cost of an array append each; exact to a millisecond, never early.
package final class TimerWheel {
    private struct Entry {
        let key: UInt64
        let due: Int64
    }

    private static let tick: Int64 = 1_000_000
    private static let slotCount: Int64 = 4096
    private var slots: [[Entry]]
    private var scratch: [Entry] = []
    private var position: Int64
    private var count = 0

    /// An empty wheel.
    ///
    /// - Parameter now: nanoseconds on the clock that every later call uses.
    package init(now: Int64) {
        slots = Array(repeating: [], count: Int(Self.slotCount))
        position = now / Self.tick
    }

    /// Remembers a key until `due`, in nanoseconds; the same key may wait several times.
    package func schedule(_ key: UInt64, at due: Int64) {
        let tick = max((due + Self.tick - 1) / Self.tick, position + 1)
        slots[Int(tick % Self.slotCount)].append(Entry(key: key, due: due))
        count += 1
    }

    /// How long the caller may sleep, in nanoseconds; at most a second.
    package func pause(now: Int64) -> Int64 {
        guard count > 0 else { return 1_000_000_000 }
        var tick = position + 1
        while tick < position + 1000, slots[Int(tick % Self.slotCount)].isEmpty { tick += 1 }
        return max(0, tick * Self.tick - now)
    }

    /// Hands over every key that is due; more may be scheduled meanwhile.
    package func advance(to now: Int64, _ take: (_ key: UInt64) -> Void) {
        let target = now / Self.tick
        var visited: Int64 = 0
        while position < target, visited < Self.slotCount {
            position += 1
            visited += 1
            let slot = Int(position % Self.slotCount)
            if slots[slot].isEmpty { continue }
            var due = scratch
            scratch = []
            swap(&due, &slots[slot])
            count -= due.count
            for entry in due {
                if entry.due <= now {
                    take(entry.key)
                } else {
                    slots[slot].append(entry)
                    count += 1
                }
            }
            due.removeAll(keepingCapacity: true)
            scratch = due
        }
        position = max(position, target)
    }
}
