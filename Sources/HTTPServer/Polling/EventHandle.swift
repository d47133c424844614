internal import CEvent

/// One registered interest of the poller.
///
/// All calls but `free()` may come from any thread; `free()` only from the loop's own, where no callback can be running.
// SAFETY: libevent guards every event by its base's lock, which `EventLoop` switches on before anything else.
@safe struct EventHandle: @unchecked Sendable {
    private let event: OpaquePointer

    init?(_ event: OpaquePointer?) {
        guard let event = unsafe event else { return nil }
        unsafe self.event = event
    }

    func add() { _ = unsafe event_add(event, nil) }

    func add(every interval: Duration) {
        let microseconds = interval.nanoseconds / 1000
        var time = timeval()
        time.tv_sec = numericCast(microseconds / 1_000_000)
        time.tv_usec = numericCast(microseconds % 1_000_000)
        _ = unsafe event_add(event, &time)
    }

    /// Stops the interest without waiting for a callback that may be waiting for us.
    func remove() { _ = unsafe event_del_noblock(event) }

    /// Makes the loop call back as soon as it can.
    func activate() { unsafe event_active(event, Int32(EV_TIMEOUT), 0) }

    func free() { unsafe event_free(event) }
}
