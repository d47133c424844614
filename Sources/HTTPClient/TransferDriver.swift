import CCurl

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// libcurl's multi interface and a poller, turned on one thread.
///
/// Every call on a handle happens here. The library says which sockets and which time it waits for; the driver adds
/// the calls' own deadlines, which it keeps as one lower bound: silence pushes a deadline only later, so looking at
/// all calls is needed but when the bound has passed.
@safe
final class TransferDriver {
    private let configuration: HTTPClient.Configuration
    private let poller: ccurl_poller
    private let loop: TransferLoop
    private let multi: UnsafeMutableRawPointer
    private let clock = ContinuousClock()
    private var transfers: [ObjectIdentifier: ActiveTransfer] = [:]
    private var now: ContinuousClock.Instant
    private var libraryDeadline: ContinuousClock.Instant?
    private var nextDeadline: ContinuousClock.Instant?
    private var isStopping = false
    /// The last look into the mailbox found something, so that there may be more.
    private var hasMail = false
    /// The last turn in which a socket was ready.
    private var lastTurn: ContinuousClock.Instant?
    /// Turns in a row that came close to the one before.
    private var closeTurns = 0

    /// Turns nearer to each other than this are close.
    private let closeDistance: Duration

    /// Close turns in a row that make a load: a single call begins with fewer.
    private static let turnsUnderLoad = 10

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(_ configuration: HTTPClient.Configuration, poller: ccurl_poller, loop: TransferLoop) {
        precondition(Self.isLibraryReady, "libcurl does not start")
        guard let multi = unsafe curl_multi_init() else { preconditionFailure("libcurl has no memory left") }
        self.configuration = configuration
        closeDistance = configuration.stroke * 2
        self.poller = poller
        self.loop = loop
        unsafe self.multi = unsafe multi
        now = clock.now
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_multi_set_callbacks(
            multi,
            { _, socket, what, context, _ in
                // SAFETY: the driver outlives its multi handle, whose context it is.
                let driver = unsafe Unmanaged<TransferDriver>.fromOpaque(context!).takeUnretainedValue()
                ccurl_poller_watch(driver.poller, socket, what == CURL_POLL_REMOVE ? 0 : what)
                return 0
            },
            { _, milliseconds, context in
                // SAFETY: as above.
                let driver = unsafe Unmanaged<TransferDriver>.fromOpaque(context!).takeUnretainedValue()
                driver.libraryDeadline = milliseconds < 0 ? nil : driver.clock.now + .milliseconds(milliseconds)
                return 0
            }, context)
        unsafe ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, configuration.keptConnections)
    }

    /// Turns until told to stop, then ends every call.
    func run() {
        blockPipeSignal()
        var ready = [ccurl_ready](repeating: ccurl_ready(), count: 128)
        while !isStopping {
            if !hasMail { gather() }
            let wait = !hasMail && loop.fallAsleep() ? patience() : 0
            let count = unsafe ready.withUnsafeMutableBufferPointer { ready in
                unsafe ccurl_poller_wait(poller, ready.baseAddress, Int32(ready.count), wait)
            }
            now = clock.now
            if count > 0 { noteTurn() }
            var running: Int32 = 0
            for index in 0..<max(0, Int(count)) {
                if ready[index].socket == -1 { continue }
                unsafe curl_multi_socket_action(multi, ready[index].socket, ready[index].actions, &running)
            }
            readMail()
            if let due = libraryDeadline, due <= clock.now {
                libraryDeadline = nil
                unsafe curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
            }
            collectFinished()
            if let due = nextDeadline, due <= now { expire() }
            hasMail = readMail()
        }
        for transfer in transfers.values { finish(transfer, TransferLoop.shutDown) }
        unsafe curl_multi_cleanup(multi)
        loop.close()
    }

    /// Does what others asked for, and runs the tasks that read here.
    ///
    /// - Returns: whether there was any mail: what was done may have brought more.
    @discardableResult
    private func readMail() -> Bool {
        let mail = loop.takeMail()
        for command in mail.commands { obey(command) }
        let executor = unsafe loop.asUnownedTaskExecutor()
        for job in mail.jobs { unsafe job.runSynchronously(on: executor) }
        return !mail.isEmpty
    }

    /// Under load, lets a stroke's worth of bytes gather before the sockets are looked at again.
    ///
    /// Each look wakes readers, and what they wake in turn; with many streams that costs more than the bytes do. A few
    /// quiet streams, and the turns in which a call begins, are served at once.
    private func gather() {
        guard let lastTurn, closeTurns >= Self.turnsUnderLoad else { return }
        let rest = clock.now.duration(to: lastTurn + configuration.stroke)
        if rest > .zero { usleep(UInt32(rest.components.attoseconds / 1_000_000_000_000)) }
    }

    private func noteTurn() {
        let isClose = lastTurn.map { $0.duration(to: now) < closeDistance } ?? false
        closeTurns = isClose ? closeTurns + 1 : 0
        lastTurn = now
    }

    /// How long to wait for sockets, in milliseconds; -1 is until something happens.
    private func patience() -> Int32 {
        guard let next = libraryDeadline ?? nextDeadline else { return -1 }
        let wait = clock.now.duration(to: min(next, nextDeadline ?? next))
        if wait <= .zero { return 0 }
        let (seconds, attoseconds) = wait.components
        return seconds >= 60 ? 60_000 : Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
    }

    private func obey(_ command: TransferLoop.Command) {
        switch command {
        case .start(let channel, let request): start(channel, request)
        case .cancel(let channel):
            if let transfer = transfers[ObjectIdentifier(channel)] { finish(transfer, nil) }
        case .goOn(let channel): transfers[ObjectIdentifier(channel)]?.goOn(now: now)
        case .limitRest(let channel, let duration):
            guard let transfer = transfers[ObjectIdentifier(channel)] else { return }
            transfer.latestEnd = min(transfer.latestEnd ?? now + duration, now + duration)
            noteDeadline(of: transfer)
        case .stop: isStopping = true
        }
    }

    private func start(_ channel: ReplyChannel, _ request: HTTPClientRequest) {
        if channel.hasEnded { return }
        guard let handle = unsafe curl_easy_init() else {
            channel.end(HTTPClientError(.internalFailure, "libcurl has no memory left"))
            return
        }
        let transfer = unsafe ActiveTransfer(
            channel, request: request, handle: handle, reach: configuration.reach, now: now)
        transfer.apply(request, configuration)
        transfers[ObjectIdentifier(channel)] = transfer
        loop.noteStart()
        noteDeadline(of: transfer)
        let status = unsafe curl_multi_add_handle(multi, handle)
        if status != CURLM_OK {
            finish(transfer, HTTPClientError(.internalFailure, unsafe String(cString: curl_multi_strerror(status))))
        }
    }

    private static let keptIn = HTTPClientError(.forbidden, "no address of the host may be reached from here")

    private func collectFinished() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let context = unsafe ccurl_context(message.pointee.easy_handle)
            else { continue }
            let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context).takeUnretainedValue()
            let result = unsafe ccurl_message_result(message)
            let failure = transfer.wasKeptIn && result == CURLE_COULDNT_CONNECT ? Self.keptIn : HTTPClientError(result)
            finish(transfer, transfer.failure ?? failure)
        }
    }

    private func finish(_ transfer: ActiveTransfer, _ error: HTTPClientError?) {
        unsafe curl_multi_remove_handle(multi, transfer.handle)
        unsafe curl_easy_cleanup(transfer.handle)
        unsafe curl_slist_free_all(transfer.fields)
        unsafe curl_slist_free_all(transfer.addresses)
        transfers[ObjectIdentifier(transfer.channel)] = nil
        loop.noteEnd()
        transfer.channel.end(error)
    }

    private func noteDeadline(of transfer: ActiveTransfer) {
        guard let look = transfer.nextLook(from: now) else { return }
        nextDeadline = min(nextDeadline ?? look, look)
    }

    private func expire() {
        nextDeadline = nil
        for transfer in transfers.values {
            if let deadline = transfer.deadline, deadline <= now {
                finish(transfer, HTTPClientError(.timedOut, "the reply did not come in time"))
            } else {
                noteDeadline(of: transfer)
            }
        }
    }
}
