import RejoinCore

/// What a person has to do so that this device is let in.
public struct DeviceLogin: Equatable, Sendable {
    /// The short code, as it is to be typed.
    public let userCode: String
    /// Where it is to be typed.
    public let page: String
    /// The same page with the code filled in, where the server gives one.
    public let completePage: String?
    /// How long the code is good for.
    public let lifetime: Duration
    let deviceCode: String
    let interval: Duration
}

/// How waiting for a person ended.
public enum DeviceLoginOutcome: Equatable, Sendable {
    case signedIn(token: String)
    case denied
    /// Nobody decided in time, or the server forgot the request.
    case expired
}

/// Signing in without a browser of one's own, by the device authorization grant (RFC 8628).
extension RejoinClient {
    private static let clientID = "rejoin"
    private static let grant = "urn:ietf:params:oauth:grant-type:device_code"

    /// Asks to be let in.
    ///
    /// - Parameter name: what the list of devices is to call this one.
    /// - Throws: ``ClientError``, and `CancellationError` when its task was cancelled.
    public func beginDeviceLogin(name: String) async throws -> DeviceLogin {
        let (status, object) = try await post(
            "/oauth/device_authorization", [("client_id", Self.clientID), ("device_name", name)])
        guard status == 200, let deviceCode = object["device_code"]?.string,
            let userCode = object["user_code"]?.string, let page = object["verification_uri"]?.string,
            let seconds = object["expires_in"]?.integer, seconds > 0
        else { throw ClientError(status == 200 ? .malformedReply : .rejected, "no device code", status: status) }
        let interval = object["interval"]?.integer ?? 5
        return DeviceLogin(
            userCode: userCode, page: page, completePage: object["verification_uri_complete"]?.string,
            lifetime: .seconds(min(seconds, 86_400)), deviceCode: deviceCode,
            interval: .seconds(min(max(interval, 1), 300)))
    }

    /// Waits until somebody has decided, asking as often as the server says.
    ///
    /// A line that breaks meanwhile is waited out, as long as the code is good.
    ///
    /// - Throws: ``ClientError`` for a reply that makes no sense, and `CancellationError` when its task was cancelled.
    public func wait(for login: DeviceLogin) async throws -> DeviceLoginOutcome {
        var interval = login.interval
        var waited = Duration.zero
        while waited < login.lifetime {
            try await clock.sleep(for: interval)
            waited += interval
            let (status, object): (Int, JSONObject)
            do {
                (status, object) = try await post(
                    "/oauth/token",
                    [("grant_type", Self.grant), ("device_code", login.deviceCode), ("client_id", Self.clientID)])
            } catch let error as ClientError where error.isTransient {
                // RFC 8628, 3.5: after a timeout a client asks less often.
                interval = min(interval * 2, .seconds(60))
                continue
            }
            if status == 200, let token = object["access_token"]?.string { return .signedIn(token: token) }
            switch object["error"]?.string {
            case "authorization_pending": break
            case "slow_down": interval += .seconds(5)
            case "access_denied": return .denied
            case "expired_token", "invalid_grant": return .expired
            case _ where [502, 503, 504].contains(status): interval = min(interval * 2, .seconds(60))
            default: throw ClientError(.rejected, "no token", status: status)
            }
        }
        return .expired
    }

    private func post(_ path: String, _ form: [(name: String, value: String)]) async throws -> (Int, JSONObject) {
        var request = request("POST", path, accept: "application/json")
        request.fields.append(("content-type", "application/x-www-form-urlencoded"))
        request.body = Array(PercentEncoding.form(form).utf8)
        let line = try await Line.open(
            request, over: transport, silenceLimit: RetryPolicy().silenceLimit, clock: clock)
        let bytes = try await line.collect(limit: 1 << 20)
        line.leave()
        return (line.status, (try? JSONReader.parse(bytes))?.object ?? JSONObject())
    }
}
