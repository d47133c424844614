import CEpoll
import Glibc

/// A non-blocking TCP socket on the loopback address; closed by whoever owns it.
package struct Socket: Sendable {
    /// What one transfer came to.
    package enum Transfer: Sendable, Equatable {
        /// So many bytes went through.
        case moved(Int)
        /// Nothing could go through now.
        case wouldBlock
        /// The other side ended the connection, or it broke.
        case ended
    }

    /// The file descriptor.
    package let descriptor: Int32

    /// A descriptor that the process already has, such as 0.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a listening socket; port 0 takes a free one.
    ///
    /// - Throws: ``SystemFailure`` if the port is taken.
    package static func listening(port: UInt16) throws(SystemFailure) -> Socket {
        let descriptor = cepoll_listen(port)
        if descriptor < 0 { throw SystemFailure(call: "listen on port \(port)", code: errno) }
        return Socket(descriptor: descriptor)
    }

    /// Begins a connection; it is made once the socket is writable and ``pendingError`` is 0.
    package static func connecting(port: UInt16) -> Socket? {
        let descriptor = cepoll_connect(port)
        return descriptor < 0 ? nil : Socket(descriptor: descriptor)
    }

    /// The port this end is bound to.
    package var port: Int { Int(cepoll_port(descriptor)) }

    /// The error of a connection attempt, 0 for none.
    package var pendingError: Int32 { cepoll_pending_error(descriptor) }

    /// Takes the next waiting connection.
    package func accept() -> Socket? {
        let accepted = cepoll_accept(descriptor)
        return accepted < 0 ? nil : Socket(descriptor: accepted)
    }

    /// Reads what is there into the front of `buffer`.
    package func receive(into buffer: inout [UInt8]) -> Transfer {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe read(descriptor, bytes.baseAddress, bytes.count)
        }
        return outcome(count, endsAtZero: true)
    }

    /// Writes what fits of `bytes`, from `start` on.
    package func send(_ bytes: [UInt8], from start: Int = 0) -> Transfer {
        guard start < bytes.count else { return .moved(0) }
        let count = unsafe bytes.withUnsafeBytes { all in
            // SAFETY: `start` is less than the array's count, which is the buffer's count.
            unsafe CEpoll.send(
                descriptor, all.baseAddress.map { unsafe $0 + start }, all.count - start, Int32(MSG_NOSIGNAL))
        }
        return outcome(count, endsAtZero: false)
    }

    /// Ends the connection and frees the descriptor.
    package func close() { CEpoll.close(descriptor) }

    private func outcome(_ count: Int, endsAtZero: Bool) -> Transfer {
        if count > 0 || (count == 0 && !endsAtZero) { return .moved(count) }
        if count == 0 { return .ended }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
    }
}
