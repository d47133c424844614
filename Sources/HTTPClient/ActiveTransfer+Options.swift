import CCurl

extension ActiveTransfer {
    /// Tells the library what to send, and how to behave while it does.
    func apply(_ request: HTTPClientRequest, _ configuration: HTTPClient.Configuration) {
        unsafe ccurl_set_context(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        set(CURLOPT_URL, request.url)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // A second version of HTTP would share one connection among streams, which a held-back one would stall.
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, 16 << 10)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, request.timeouts.connect / Duration.milliseconds(1))))
        // A proxy would open the connections, where nobody asks for the address.
        if !configuration.usesProxyEnvironment || configuration.reach != nil { set(CURLOPT_PROXY, "") }
        if configuration.reach != nil { guardSockets() }
        if let resolve = configuration.resolve { setAddresses(request.url, resolve) }
        if let file = configuration.certificateFile { set(CURLOPT_CAINFO, file) }
        setMethod(request)
        setFields(request)
    }

    private func setMethod(_ request: HTTPClientRequest) {
        let isSafe = request.method == "GET" || request.method == "HEAD"
        if let body = request.body {
            set(CURLOPT_POST, 1)
            unsafe ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        } else if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        } else if ["POST", "PUT", "PATCH"].contains(request.method) {
            set(CURLOPT_POST, 1)
            unsafe ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0)
            if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        } else if request.method != "GET" {
            set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        // The library repeats a request whose kept connection was dead. A body that was begun cannot be read again
        // (see the seek callback), which stops that; without a body only a new connection does.
        if !isSafe, request.body?.isEmpty ?? true { set(CURLOPT_FRESH_CONNECT, 1) }
    }

    private func setFields(_ request: HTTPClientRequest) {
        // A field without a value takes out what the library would add; a semicolon sends it empty.
        var lines = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        lines.append("Expect:")
        let names = Set(request.fields.map { $0.name.lowercased() })
        for name in ["Accept", "Content-Type"] where !names.contains(name.lowercased()) { lines.append("\(name):") }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { unsafe list = unsafe curl_slist_append(list, line) ?? list }
        unsafe fields = unsafe list
        unsafe ccurl_set_fields(handle, list)
    }

    private func guardSockets() {
        unsafe ccurl_set_open_socket(
            handle,
            { context, _, address in
                guard let address = unsafe address else { return CURL_SOCKET_BAD }
                // SAFETY: the context is the transfer, which the driver keeps until the handle is gone.
                let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context!).takeUnretainedValue()
                return unsafe transfer.open(address)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func setAddresses(_ url: String, _ resolve: (String) -> [String]?) {
        guard let parts = URLParts(url), let found = resolve(parts.host) else { return }
        let line = "\(parts.host):\(parts.port):\(found.joined(separator: ","))"
        unsafe addresses = unsafe curl_slist_append(nil, line)
        unsafe ccurl_set_addresses(handle, addresses)
    }

    private func setCallbacks() {
        unsafe ccurl_set_callbacks(
            handle,
            { bytes, size, count, context in
                // SAFETY: the context of a handle is its transfer, which the driver keeps until the handle is gone.
                let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context!).takeUnretainedValue()
                return unsafe transfer.receive(ActiveTransfer.bytes(bytes, size * count), now: .now)
            },
            { bytes, size, count, context in
                // SAFETY: as above.
                let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context!).takeUnretainedValue()
                return unsafe transfer.receiveHeadLine(ActiveTransfer.bytes(bytes, size * count), now: .now)
            },
            { bytes, size, count, context in
                // SAFETY: as above.
                let transfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context!).takeUnretainedValue()
                let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return unsafe transfer.send(into: room.bindMemory(to: UInt8.self))
            },
            { _, _, _ in CURL_SEEKFUNC_FAIL })
    }

    private static func bytes(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
    }

    private func set(_ option: CURLoption, _ value: Int) { unsafe ccurl_set_number(handle, option, value) }
    private func set(_ option: CURLoption, _ value: String) { unsafe ccurl_set_text(handle, option, value) }
}
