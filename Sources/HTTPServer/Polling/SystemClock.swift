internal import CEvent
private import RejoinCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A moment on the clock that deadlines are kept by, in nanoseconds.
typealias Moment = Int64

/// Now, on a clock that never goes back; the loop's timers run on the same one.
func monotonicNow() -> Moment {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(time.tv_sec) * 1_000_000_000 + Moment(time.tv_nsec)
}

/// The seconds since 1970.
@Sendable func wallClockSeconds() -> Int { time(nil) }

/// The date of a response in its one allowed form, `Sun, 06 Nov 1994 08:49:37 GMT`.
func httpDate(_ seconds: Int) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    // The first day of 1970 was a Thursday; a clock before that is a broken one.
    let seconds = max(0, min(seconds, 253_402_300_799))
    let text = Array(Timestamp(milliseconds: Int64(seconds) * 1000).description)
    func part(_ range: Range<Int>) -> String { String(text[range]) }
    let month = months[((Int(part(5..<7)) ?? 1) - 1) % 12]
    return "\(days[seconds / 86_400 % 7]), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
}

extension Duration {
    /// In nanoseconds, as far as they fit.
    var nanoseconds: Moment {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max / 4 : min(whole, .max / 4) + attoseconds / 1_000_000_000
    }
}
