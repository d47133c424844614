import HTTPServer
import RejoinCore

/// The device authorization grant of RFC 8628: the two endpoints for devices, and the two calls of the page.
extension API {
    private static let grant = "urn:ietf:params:oauth:grant-type:device_code"

    /// Gives a device a code to show and one to ask with.
    func authorizeDevice(_ call: Call) async throws {
        guard let form = try await call.form(limit: 8192) else {
            return try await refuseDevice("invalid_request", "The body is a form with each parameter once.", call)
        }
        guard let client = form["client_id"], client.utf8.count <= 100 else {
            return try await refuseDevice("invalid_request", "client_id is missing or too long.", call)
        }
        let offer = deviceFlow.begin(
            client: client, device: form["device_name"] ?? client, address: callerAddress(call))
        guard let offer else {
            call.add(["Retry-After": "60"])
            return try await refuseDevice(
                "temporarily_unavailable", "Too many devices wait to be let in.", status: 429, call)
        }
        let page = (ways.address.configuredOrigin ?? origin(call)) + "/#device"
        try await replyToDevice(200, call) { json in
            json.member("device_code", offer.deviceCode)
            json.member("user_code", offer.userCode)
            json.member("verification_uri", page)
            json.member("verification_uri_complete", page + "=" + offer.userCode)
            json.name("expires_in")
            json.integer(Int(DeviceFlow.lifetime.inSeconds))
            json.name("interval")
            json.integer(DeviceFlow.interval)
        }
    }

    /// Answers a device that asks whether it was let in.
    func handOutToken(_ call: Call) async throws {
        guard let form = try await call.form(limit: 8192) else {
            return try await refuseDevice("invalid_request", "The body is a form with each parameter once.", call)
        }
        guard let grant = form["grant_type"] else {
            return try await refuseDevice("invalid_request", "grant_type is missing.", call)
        }
        guard grant == Self.grant else {
            return try await refuseDevice("unsupported_grant_type", "The grant type is \(Self.grant).", call)
        }
        guard let client = form["client_id"], let code = form["device_code"] else {
            return try await refuseDevice("invalid_request", "client_id or device_code is missing.", call)
        }
        switch deviceFlow.poll(deviceCode: code, client: client) {
        case .pending: try await refuseDevice("authorization_pending", "Nobody has decided yet.", call)
        case .slowDown: try await refuseDevice("slow_down", "Ask five seconds less often.", call)
        case .denied: try await refuseDevice("access_denied", "The person declined.", call)
        case .expired: try await refuseDevice("expired_token", "Nobody decided in time.", call)
        case .unknown: try await refuseDevice("invalid_grant", "There is no such device code.", call)
        case .granted(let account, let device):
            var isDone = false
            defer { deviceFlow.handedOver(code, isDone: isDone) }
            guard try await store.account(account) != nil else {
                isDone = true
                return try await refuseDevice("access_denied", "The account was closed.", call)
            }
            let (session, token) = try await accounts.openSession(of: account, device: device)
            isDone = true
            try await replyToDevice(200, call) { json in
                json.member("access_token", token)
                json.member("token_type", "Bearer")
                json.name("account")
                json.id(session.account)
                json.name("device")
                json.id(session.id)
            }
        }
    }

    private func refuseDevice(_ error: String, _ words: String, status: Int = 400, _ call: Call) async throws {
        try await replyToDevice(status, call) { json in
            json.member("error", error)
            json.member("error_description", words)
        }
    }

    private func replyToDevice(_ status: Int, _ call: Call, _ members: (inout JSONWriter) -> Void) async throws {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        let fields: HTTPFields = [
            "Content-Type": "application/json", "Cache-Control": "no-store", "Pragma": "no-cache",
        ]
        try await call.respond(status, fields: fields, body: json.bytes)
    }

    /// The address as the caller reached it, where the operator named none: it is only told to the caller again.
    private func origin(_ call: Call) -> String {
        let request = call.exchange.request
        let isTrusted = people.trustedProxies.contain(request.remoteAddress)
        let isSecure = isTrusted && request.fields["x-forwarded-proto"]?.lowercased() == "https"
        let host = request.fields["host"] ?? "localhost"
        return (isSecure ? "https://" : "http://") + host
    }

    // MARK: The page

    /// Shows which device a code stands for.
    func lookAtDevice(_ call: Call, _ caller: SessionRecord) async throws {
        let (_, view) = try await device(try await call.object(limit: 4096), caller)
        try await call.respond(200) { json in
            json.beginObject()
            json.member("device", view.device)
            json.member("address", view.address)
            json.name("asked_at")
            json.time(view.askedAt)
            json.endObject()
        }
    }

    /// Lets a device in as the caller's account, or does not.
    func decideDevice(_ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 4096)
        guard let isApproved = try object.bool("approve") else {
            throw Problem(.invalidRequest, "approve is missing.", field: "approve")
        }
        let (code, _) = try await device(object, caller)
        guard deviceFlow.decide(code, as: isApproved ? caller.account : nil) else { throw Self.noDevice }
        try await call.respond(204, fields: [:], body: [])
    }

    /// The device that a person's code stands for; wrong ones are counted.
    private func device(
        _ object: RequestObject, _ caller: SessionRecord
    ) async throws -> (DeviceCode, DeviceFlow.View) {
        let typed = try object.requiredString("code")
        try await accounts.beginGuess(of: "device", by: caller.account)
        guard let code = DeviceCode(typed), let view = deviceFlow.look(code) else { throw Self.noDevice }
        try await accounts.forgiveGuess(of: "device", by: caller.account)
        return (code, view)
    }

    private static let noDevice = Problem(.notFound, "No device waits with this code; it may be too old.")
}
