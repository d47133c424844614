import CEpoll
import Glibc

/// A file written from its beginning in large pieces.
package final class LogFile {
    private let descriptor: Int32
    private var pending: [UInt8] = []

    /// Opens the file, empty.
    ///
    /// - Throws: ``SystemFailure`` if it cannot be made.
    package init(path: String) throws(SystemFailure) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw SystemFailure(call: "open \(path)", code: errno) }
    }

    deinit { close(descriptor) }

    /// Adds bytes to what will be written.
    package func append(_ bytes: some Sequence<UInt8>) {
        pending.append(contentsOf: bytes)
        if pending.count > 1 << 18 { flush() }
    }

    /// Writes everything that was added.
    package func flush() {
        var start = 0
        while start < pending.count {
            let count = unsafe pending.withUnsafeBytes { all in
                // SAFETY: `start` is less than the array's count, which is the buffer's count.
                unsafe write(descriptor, all.baseAddress.map { unsafe $0 + start }, all.count - start)
            }
            guard count > 0 else { break }
            start += count
        }
        pending.removeAll(keepingCapacity: true)
    }
}
