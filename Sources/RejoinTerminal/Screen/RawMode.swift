#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Synchronization

/// The terminal's own settings, and the way back to them from wherever the process ends.
///
/// A crash must not leave a person with a terminal that shows nothing of what is typed: the signals of crashes pass here
/// first, where the settings are put back with calls that are allowed in a signal's handler.
enum RawMode {
    /// Alternate screen, bracketed paste, the wheel, whole characters where the terminal knows them (mode 2027), no
    /// wrapping at the edge, and no reordering by the terminal of lines that are in order already.
    static let enter = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2027h\u{1B}[?7l\u{1B}[8l"
    static let leave =
        "\u{1B}[?2026l\u{1B}[8h\u{1B}[?7h\u{1B}[?2027l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h"
        + "\u{1B}[?1049l"

    /// What a handler of signals needs: set before it is installed.
    private struct Restoration {
        var settings = termios()
        var bytes: UnsafeMutableBufferPointer<UInt8>
        var old: [(signal: Int32, action: sigaction)] = []
    }

    // SAFETY: written on one thread before `isRaw` is set, and read by handlers only while that is set.
    nonisolated(unsafe) private static var restoration: Restoration?
    private static let isRaw = Atomic(false)
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT]

    /// Takes bytes as they are typed, one by one and unseen.
    ///
    /// - Returns: whether standard input is a terminal that allows it.
    static func begin() -> Bool {
        if restoration == nil {
            var settings = termios()
            guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leave.utf8.count)
            _ = bytes.initialize(from: leave.utf8)
            restoration = Restoration(settings: settings, bytes: bytes)
            watchCrashes()
            atexit { RawMode.restore() }
        } else if !isRaw.load(ordering: .sequentiallyConsistent) {
            // After a pause the shell's settings may be others.
            var settings = termios()
            if tcgetattr(STDIN_FILENO, &settings) == 0 { restoration?.settings = settings }
        }
        guard var settings = restoration?.settings else { return false }
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { return false }
        isRaw.store(true, ordering: .sequentiallyConsistent)
        return true
    }

    /// Puts everything back; harmless when it is back already, and allowed in a handler of signals.
    static func restore() {
        guard isRaw.exchange(false, ordering: .sequentiallyConsistent), let base = restoration?.bytes.baseAddress
        else { return }
        _ = write(STDOUT_FILENO, base, restoration?.bytes.count ?? 0)
        if var settings = restoration?.settings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    }

    private static func watchCrashes() {
        for number in crashes {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO
            let handler: @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
                number, details, _ in
                RawMode.crash(number, isSent: (details?.pointee.si_code ?? 0) <= 0)
            }
            #if canImport(Glibc)
            action.__sigaction_handler.sa_sigaction = handler
            #else
            action.__sigaction_u.__sa_sigaction = handler
            #endif
            var old = sigaction()
            guard sigaction(number, &action, &old) == 0 else { continue }
            restoration?.old.append((number, old))
        }
    }

    /// Puts the terminal back and lets whoever was asked before (a backtracer, or the system) see the crash.
    private static func crash(_ number: Int32, isSent: Bool) {
        restore()
        let count = restoration?.old.count ?? 0
        for index in 0..<count where restoration?.old[index].signal == number {
            if var old = restoration?.old[index].action { sigaction(number, &old, nil) }
        }
        // A fault comes again by itself when the handler returns; what was sent, and a breakpoint, do not.
        if isSent || number == SIGTRAP { raise(number) }
    }
}
