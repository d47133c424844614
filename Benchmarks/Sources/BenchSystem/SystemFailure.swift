import CEpoll
import Glibc

/// A system call that failed.
package struct SystemFailure: Error, CustomStringConvertible {
    /// The call's name.
    package let call: String
    /// Its `errno`.
    package let code: Int32

    /// Names the call and the reason.
    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The call with the system's own words.
    package var description: String {
        // strerror answers a text that lives until the next call; it is copied here.
        let words = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "\(call): \(words)"
    }
}
