package import HTTPServer
import RejoinCore

/// Answers requests: finds the route and the caller, calls the rooms, and turns what they say into replies.
///
/// Every refusal is a problem document, and changes nothing.
package struct API: Sendable {
    /// Sizes and times that bound requests.
    package struct Limits: Equatable, Sendable {
        /// The largest body, in bytes.
        package var bodyBytes = 1 << 20
        /// The most text in one prompt, in bytes.
        package var promptBytes = 256 << 10
        /// The comment on a silent stream comes after this long.
        package var heartbeat = Duration.seconds(9)
        /// The largest archive that is taken in, in bytes.
        package var importBytes = 4 << 30

        package init() {}
    }

    let store: any Store
    let accounts: Accounts
    let eventLog: EventLog
    let runs: RunSupervisor
    let feed: ChangeFeed
    let tasks: TaskRunner
    let metrics: Metrics
    let files: WebFiles
    let limits: Limits
    let surroundings: Surroundings
    let logger: Logger
    let repeats: RepeatedRequests
    let assists: AssistRegistry
    private let currentPlans: Reloadable<PlanBook>
    /// What accounts may use, as the configuration has it now.
    var plans: PlanBook { currentPlans.value }
    /// The description of all routes, as it is served.
    let interface: [UInt8]
    let gate = AdmissionGate()
    let people: PeoplePolicy
    let deviceFlow: DeviceFlow
    let ways: SignInWays

    package init(
        store: any Store, accounts: Accounts, eventLog: EventLog, runs: RunSupervisor, feed: ChangeFeed,
        tasks: TaskRunner, metrics: Metrics, files: WebFiles, limits: Limits, plans: Reloadable<PlanBook>,
        surroundings: Surroundings, logger: Logger, ways: SignInWays, assists: AssistRegistry = .standard,
        people: PeoplePolicy = PeoplePolicy()
    ) {
        self.people = people
        self.ways = ways
        deviceFlow = DeviceFlow(surroundings: surroundings)
        currentPlans = plans
        self.store = store
        self.accounts = accounts
        self.eventLog = eventLog
        self.runs = runs
        self.feed = feed
        self.tasks = tasks
        self.metrics = metrics
        self.files = files
        self.limits = limits
        self.surroundings = surroundings
        self.logger = logger
        self.assists = assists
        interface = WireDescription.document(limits, assists)
        repeats = RepeatedRequests(surroundings: surroundings)
    }

    /// Answers one request.
    package func handle(_ exchange: Exchange) async {
        var label = "none"
        let call = Call(exchange: exchange, metrics: metrics)
        defer { call.leaveStream() }
        do {
            guard let (route, parameters) = try Route.match(exchange.request.method, exchange.request.path) else {
                try await serveFile(call)
                return
            }
            label = route.rawValue
            call.route = label
            try await answer(route, parameters, call)
        } catch let problem as Problem {
            await refuse(problem, label, call)
        } catch let failure as StoreFailure {
            logger.log(.error, "store", ["code": failure.code.name, "route": label])
            let detail = "The store cannot do this just now: \(failure.code.name)."
            await refuse(Problem(.temporarilyUnavailable, detail, retryAfter: 2), label, call)
        } catch let error as HTTPServerError {
            await refuse(error, label, call)
        } catch is CancellationError {
            return
        } catch {
            let request = surroundings.random().0
            let number = String(request, radix: 36)
            logger.log(.error, "internal", ["type": String(describing: type(of: error)), "request": number])
            await refuse(Problem(.internalError, "Request \(number)."), label, call)
        }
    }

    private func answer(_ route: Route, _ parameters: Route.Parameters, _ call: Call) async throws {
        switch route {
        case .health: try await call.respond(200, json: Array(#"{"status":"alive"}"#.utf8))
        case .ready: try await ready(call)
        case .metrics: try await showMetrics(call)
        case .interface: try await showInterface(call)
        case .signInLink: try await signInByLink(call)
        case .signIn: try await signIn(call)
        case .createAccount: try await createAccount(call)
        case .lookAtInvite: try await lookAtInvite(call)
        case .authorizeDevice: try await authorizeDevice(call)
        case .deviceToken: try await handOutToken(call)
        case .openAIModels, .openAIChat: try await answerOpenAI(route, call)
        case .signInWays: try await showSignInWays(call)
        case .challengePasskey: try await challengePasskey(call)
        case .signInByPasskey: try await signInByPasskey(call)
        case .startOpenID: try await startOpenID(call)
        case .finishOpenID: try await finishOpenID(call)
        default: try await answer(route, parameters, call, try await authenticate(call))
        }
    }

    private func answer(
        _ route: Route, _ parameters: Route.Parameters, _ call: Call, _ caller: SessionRecord
    ) async throws {
        switch route {
        case .sessions: try await listSessions(call, caller)
        case .signOut: try await signOut(parameters.values[0], call, caller)
        case .signOutOthers, .renameSession, .showAccount, .changePassword, .accounts, .patchAccount, .deleteAccount,
            .invites, .createInvite, .revokeInvite, .lookAtDevice, .decideDevice:
            try await answerPeople(route, parameters, call, caller)
        case .conversations: try await listConversations(call, caller)
        case .deleteConversations: try await deleteConversations(call, caller)
        case .putConversation: try await putConversation(parameters.id(0), call, caller)
        case .patchConversation: try await patchConversation(parameters.id(0), call, caller)
        case .deleteConversation: try await deleteConversation(parameters.id(0), call, caller)
        case .conversation: try await showConversation(parameters.id(0), call, caller)
        case .putTurn: try await putTurn(parameters.id(0), parameters.id(1), call, caller)
        case .putFinishedTurn: try await putFinishedTurn(parameters.id(0), parameters.id(1), call, caller)
        case .putAnswer: try await putAnswer(parameters.id(0), parameters.id(1), call, caller)
        case .answer: try await showAnswer(parameters.id(0), call, caller)
        case .events: try await followEvents(parameters.id(0), call, caller)
        case .stop: try await stopAnswer(parameters.id(0), call, caller)
        case .changes: try await showChanges(call, caller)
        case .closeAccount: try await closeAccount(call, caller)
        case .search: try await search(call, caller)
        case .tasks: try await listTasks(call, caller)
        case .createTask: try await createTask(call, caller)
        case .task: try await showTask(parameters.id(0), call, caller)
        case .deleteTask: try await deleteTask(parameters.id(0), call, caller)
        case .taskEvents: try await followTask(parameters.id(0), call, caller)
        case .taskResult: try await fetchResult(parameters.id(0), call, caller)
        case .createExport: try await createExport(call, caller)
        case .createImport: try await createImport(call, caller)
        case .limits: try await showLimits(call, caller)
        case .consent: try await showConsent(call, caller)
        case .putConsent: try await changeConsent(call, caller)
        case .memory: try await showMemory(call, caller)
        case .addFact: try await addFact(call, caller)
        case .emptyMemory: try await emptyMemory(call, caller)
        case .fact: try await showFact(parameters.id(0), call, caller)
        case .patchFact: try await changeFact(parameters.id(0), call, caller)
        case .deleteFact: try await deleteFact(parameters.id(0), call, caller)
        case .audit: try await showAudit(call, caller)
        case .models: try await listModels(call)
        case .assist: try await assist(parameters.values[0], parameters.id(1), call, caller)
        case .reviewAssist: try await review(parameters.values[0], call)
        case .passkeys: try await listPasskeys(call, caller)
        case .putPasskey: try await putPasskey(parameters.id(0), call, caller)
        case .patchPasskey: try await patchPasskey(parameters.id(0), call, caller)
        case .deletePasskey: try await deletePasskey(parameters.id(0), call, caller)
        case .identities: try await listIdentities(call, caller)
        case .linkIdentity: try await linkIdentity(call, caller)
        case .unlinkIdentity: try await unlinkIdentity(parameters.id(0), call, caller)
        case .health, .ready, .metrics, .interface, .createAccount, .signIn, .signInLink, .openAIModels, .openAIChat,
            .lookAtInvite, .authorizeDevice, .deviceToken, .signInWays, .challengePasskey, .signInByPasskey,
            .startOpenID, .finishOpenID:
            break
        }
    }

    // MARK: Who is calling

    private static let cookie = "rejoin_session"

    /// The caller's session, by bearer token or by the page's cookie.
    ///
    /// A cookie goes along with any request that a browser makes, so all but reading wants the client's header too,
    /// which no other site can set.
    func authenticate(_ call: Call) async throws -> SessionRecord {
        let fields = call.exchange.request.fields
        if let authorization = fields["authorization"] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer",
                let session = try await accounts.session(token: String(parts[1]).trimmingSpace)
            else { throw Problem(.unauthenticated, "The token is not known; it may have been signed out.") }
            call.belongs(to: session, streams: accounts.streams)
            return session
        }
        guard let token = Self.cookieValue(Self.cookie, fields), let session = try await accounts.session(token: token)
        else {
            throw Problem(.unauthenticated, "Send Authorization: Bearer with a token, or sign in.")
        }
        let method = call.exchange.request.method
        guard method == "GET" || method == "HEAD" || fields["x-rejoin-client"] != nil else {
            throw Problem(.forbidden, "With a cookie, X-Rejoin-Client is required on everything but GET.")
        }
        call.belongs(to: session, streams: accounts.streams)
        return session
    }

    /// The value of a cookie that a browser sent; nil if it sent none of that name.
    static func cookieValue(_ cookie: String, _ fields: HTTPFields) -> String? {
        for field in fields.all("cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, String(parts[0]).trimmingSpace == cookie { return String(parts[1]).trimmingSpace }
            }
        }
        return nil
    }

    /// Where the request comes from, by the word of the proxies that are trusted.
    func callerAddress(_ call: Call) -> String {
        let request = call.exchange.request
        return people.trustedProxies.client(
            remote: request.remoteAddress, forwarded: request.fields.all("x-forwarded-for").map { String($0) })
    }

    /// The field that gives the page its cookie, or takes it away.
    func setCookie(_ token: String?) -> (String, String) {
        let value = token ?? ""
        let age = token == nil ? 0 : 400 * 86_400
        let secure = ways.address.isSecure ? "; Secure" : ""
        return ("Set-Cookie", "\(Self.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)\(secure)")
    }

    // MARK: Refusing

    private func refuse(_ problem: Problem, _ label: String, _ call: Call) async {
        // Once a reply has begun there is nothing left to say but to cut it.
        guard !call.hasBegun else { return }
        let isOpenAI = label.contains("/openai/")
        let type = isOpenAI ? "application/json" : "application/problem+json"
        var fields: HTTPFields = ["Content-Type": type, "Cache-Control": "no-store"]
        if let retryAfter = problem.retryAfter { fields.append("Retry-After", String(retryAfter)) }
        if problem.kind == .unauthenticated { fields.append("WWW-Authenticate", "Bearer") }
        if problem.kind == .methodNotAllowed {
            fields.append("Allow", String(problem.detail.dropFirst("Allowed here: ".count).dropLast()))
        }
        let body = isOpenAI ? ChatCompletionWire.error(problem) : problem.json
        try? await call.respond(problem.kind.status, fields: fields, body: body)
    }

    private func refuse(_ error: HTTPServerError, _ label: String, _ call: Call) async {
        switch error.code {
        case .bodyTooLarge:
            await refuse(Problem(.payloadTooLarge, "The body has at most \(limits.bodyBytes) bytes."), label, call)
        case .malformedBody: await refuse(Problem(.invalidRequest, "The body's framing is not valid."), label, call)
        default: return
        }
    }

    private func serveFile(_ call: Call) async throws {
        let request = call.exchange.request
        guard
            let reply = files.reply(
                path: request.path, ifNoneMatch: request.fields["if-none-match"],
                acceptEncoding: request.fields["accept-encoding"])
        else { throw Problem(.notFound, "There is nothing at this path.") }
        guard request.method == "GET" || request.method == "HEAD" else {
            throw Problem(.methodNotAllowed, "Allowed here: GET.")
        }
        call.route = "GET file"
        var fields = HTTPFields()
        for (name, value) in reply.fields { fields.append(name, value) }
        try await call.respond(reply.status, fields: fields, body: reply.body)
    }
}
