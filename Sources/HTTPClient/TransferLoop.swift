import CCurl
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The thread that libcurl runs on, as the rest of the process sees it: a mailbox and a bell.
@safe
final class TransferLoop: Sendable {
    /// What can be asked of the thread.
    enum Command: Sendable {
        case start(ReplyChannel, HTTPClientRequest)
        case cancel(ReplyChannel)
        /// The reader has room again.
        case goOn(ReplyChannel)
        case limitRest(ReplyChannel, Duration)
        case stop
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isStopped = false
        /// The poller may be rung: from before the thread starts until it has ended.
        var isOpen = true
    }

    private let mailbox = Mutex(Mailbox())
    private let counts = Mutex(HTTPClient.Activity(started: 0, ended: 0))
    private let poller: ccurl_poller

    init(_ configuration: HTTPClient.Configuration) {
        poller = ccurl_poller_make()
        precondition(poller.queue >= 0, "the system has no descriptors left for a poller")
        let loop = self
        Self.startThread { TransferDriver(configuration, poller: loop.poller, loop: loop).run() }
    }

    var activity: HTTPClient.Activity { counts.withLock { $0 } }

    /// Puts a command into the mailbox.
    func post(_ command: Command) {
        let isTaken = mailbox.withLock { mailbox in
            guard !mailbox.isStopped else { return false }
            mailbox.commands.append(command)
            if case .stop = command { mailbox.isStopped = true }
            if mailbox.commands.count == 1, mailbox.isOpen { ccurl_poller_wake(poller) }
            return true
        }
        if !isTaken, case .start(let channel, _) = command { channel.end(Self.shutDown) }
    }

    /// Ends a call now: the reader at once, the connection on the thread's next turn.
    func cancel(_ channel: ReplyChannel) {
        if channel.end(HTTPClientError(.cancelled, "the call was cancelled"), keepingBytes: false) {
            post(.cancel(channel))
        }
    }

    /// Ends a call whose response nobody holds any more, unless it was left to run out.
    func abandon(_ channel: ReplyChannel) {
        if !channel.isDiscarding { cancel(channel) }
    }

    func stop() { post(.stop) }

    // MARK: The thread's side

    static let shutDown = HTTPClientError(.cancelled, "the client was shut down")

    /// Empties the mailbox.
    func takeCommands() -> [Command] {
        mailbox.withLock { mailbox in
            let commands = mailbox.commands
            mailbox.commands = []
            return commands
        }
    }

    func noteStart() { counts.withLock { $0.started += 1 } }
    func noteEnd() { counts.withLock { $0.ended += 1 } }

    /// Gives the poller back; nothing rings it after that.
    func close() {
        mailbox.withLock { mailbox in
            mailbox.isOpen = false
            ccurl_poller_close(poller)
        }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let context = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                // SAFETY: the context is the box that was retained for this thread alone.
                unsafe Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, context)
        if status == 0 { pthread_detach(thread) }
        #endif
        precondition(status == 0, "the system has no thread left")
    }
}
