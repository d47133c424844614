import CCurl

/// One call as the loop's thread knows it: the library's handle, the body still to send and the head being read.
///
/// It lives on that thread alone, and the driver's table keeps it for as long as the library may call back.
@safe
final class ActiveTransfer {
    /// More than any head that is meant well.
    private static let maximumHead = 64 << 10

    let channel: ReplyChannel
    let handle: UnsafeMutableRawPointer
    var fields: UnsafeMutablePointer<curl_slist>?
    /// The addresses that stand in for those of the system's resolver.
    var addresses: UnsafeMutablePointer<curl_slist>?

    private let reach: Reach?
    private let timeouts: HTTPClientRequest.Timeouts
    private let body: [UInt8]
    private var sentOfBody = 0
    private var head = ReplyHead()
    private var headSize = 0
    private var hasHead = false

    private let startedAt: ContinuousClock.Instant
    private var hasBytes = false
    private(set) var isHeldBack = false
    var lastActivity: ContinuousClock.Instant
    /// The end of all patience, from the request or set later.
    var latestEnd: ContinuousClock.Instant?
    /// Why a callback of ours stopped the library.
    private(set) var failure: HTTPClientError?
    /// An address was not opened; of several that a name has, another may do.
    private(set) var wasKeptIn = false

    init(
        _ channel: ReplyChannel, request: HTTPClientRequest, handle: UnsafeMutableRawPointer, reach: Reach?,
        now: ContinuousClock.Instant
    ) {
        self.channel = channel
        self.reach = reach
        unsafe self.handle = handle
        timeouts = request.timeouts
        body = request.body ?? []
        startedAt = now
        lastActivity = now
        latestEnd = timeouts.total.map { now + $0 }
    }

    /// When the call has to be given up unless something happens first.
    var deadline: ContinuousClock.Instant? {
        let quiet: ContinuousClock.Instant? =
            if isHeldBack {
                nil
            } else if !hasBytes, let limit = timeouts.firstByte {
                startedAt + limit
            } else {
                timeouts.idle.map { lastActivity + $0 }
            }
        guard let quiet, let latestEnd else { return quiet ?? latestEnd }
        return min(quiet, latestEnd)
    }

    /// When to look again at the latest: a first byte, or a reader that catches up, can bring the deadline forward, but
    /// never nearer than one silence from now.
    func nextLook(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let soonest = timeouts.idle.map { now + $0 }
        guard let deadline, let soonest else { return deadline ?? soonest }
        return min(deadline, soonest)
    }

    /// Lets the library hand bytes over again.
    func goOn(now: ContinuousClock.Instant) {
        guard isHeldBack else { return }
        isHeldBack = false
        lastActivity = now
        unsafe curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    // MARK: Called back by the library

    /// Opens a socket for an address that may be reached.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let known = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes -> InternetAddress? in
            let count = unsafe ccurl_address_bytes(address, bytes.baseAddress)
            return unsafe InternetAddress(bytes: bytes.prefix(Int(count)))
        }
        guard let known, reach?.permits(known) ?? true else {
            wasKeptIn = true
            return CURL_SOCKET_BAD
        }
        return unsafe ccurl_open_socket(address)
    }

    /// Takes bytes of the body; anything but their count stops or pauses the transfer.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: ContinuousClock.Instant) -> Int {
        switch unsafe channel.offer(bytes) {
        case .taken:
            hasBytes = true
            lastActivity = now
            return bytes.count
        case .holdBack:
            isHeldBack = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stop:
            return 0
        }
    }

    /// Takes one line of the head, its line end included; lines after the head are trailers and are skipped.
    func receiveHeadLine(_ line: UnsafeBufferPointer<UInt8>, now: ContinuousClock.Instant) -> Int {
        if hasHead { return line.count }
        lastActivity = now
        headSize += line.count
        guard headSize <= Self.maximumHead else {
            failure = HTTPClientError(.malformedReply, "the reply's head is over \(Self.maximumHead) bytes")
            return 0
        }
        var text = unsafe Slice(base: line, bounds: line.indices)
        while let last = unsafe text.last, last == 0x0A || last == 0x0D { unsafe text.removeLast() }
        if unsafe text.isEmpty {
            // What comes before the reply proper, such as 100 Continue, is no reply.
            if head.status >= 200 {
                hasHead = true
                channel.deliver(head)
            }
            head = ReplyHead()
        } else if unsafe text.starts(with: "HTTP/".utf8) {
            let parts = unsafe text.split(separator: 0x20, maxSplits: 2)
            head = ReplyHead(status: unsafe parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0)
        } else if let colon = unsafe text.firstIndex(of: UInt8(ascii: ":")) {
            let name = unsafe String(decoding: text[..<colon], as: UTF8.self)
            var value = unsafe text[(colon + 1)...]
            while let first = unsafe value.first, first == 0x20 || first == 0x09 { unsafe value.removeFirst() }
            while let last = unsafe value.last, last == 0x20 || last == 0x09 { unsafe value.removeLast() }
            unsafe head.fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        return line.count
    }

    /// Gives the library the next bytes of the body.
    func send(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count = min(buffer.count, body.count - sentOfBody)
        guard count > 0 else { return 0 }
        _ = unsafe buffer.update(fromContentsOf: body[sentOfBody..<sentOfBody + count])
        sentOfBody += count
        return count
    }
}
