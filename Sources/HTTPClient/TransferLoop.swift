import CCurl
import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The thread that libcurl runs on, as the rest of the process sees it: a mailbox and a bell.
///
/// It is a task executor as well: who reads a reply there needs no other thread to be woken for each piece.
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

    /// What has come for the thread.
    struct Mail {
        var commands: [Command] = []
        var jobs: [UnownedJob] = []

        var isEmpty: Bool { commands.isEmpty && jobs.isEmpty }
    }

    private struct Mailbox {
        var mail = Mail()
        /// The thread waits for its sockets and has to be rung; otherwise it looks here before it waits.
        var isAsleep = false
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
            mailbox.mail.commands.append(command)
            if case .stop = command { mailbox.isStopped = true }
            ring(&mailbox)
            return true
        }
        if !isTaken, case .start(let channel, _) = command { channel.end(Self.shutDown) }
    }

    private func ring(_ mailbox: inout Mailbox) {
        guard mailbox.isAsleep, mailbox.isOpen else { return }
        mailbox.isAsleep = false
        ccurl_poller_wake(poller)
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
    func takeMail() -> Mail {
        mailbox.withLock { mailbox in
            defer { mailbox.mail = Mail() }
            mailbox.isAsleep = false
            return mailbox.mail
        }
    }

    /// Notes that the thread is about to wait.
    ///
    /// - Returns: false if there is mail, which it has to read first.
    func fallAsleep() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.mail.isEmpty
            return mailbox.isAsleep
        }
    }

    func noteStart() { counts.withLock { $0.started += 1 } }
    func noteEnd() { counts.withLock { $0.ended += 1 } }

    /// Gives the poller back; nothing rings it after that, and tasks go on elsewhere.
    func close() {
        let left = mailbox.withLock { mailbox in
            mailbox.isOpen = false
            ccurl_poller_close(poller)
            defer { mailbox.mail = Mail() }
            return mailbox.mail.jobs
        }
        for job in left { runElsewhere(job) }
    }

    private func runElsewhere(_ job: UnownedJob) {
        DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
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

extension TransferLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = mailbox.withLock { mailbox in
            guard mailbox.isOpen else { return false }
            mailbox.mail.jobs.append(job)
            ring(&mailbox)
            return true
        }
        if !isTaken { runElsewhere(job) }
    }
}
