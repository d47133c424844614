import RejoinCore

/// The calls that the server answers, found by method and path.
enum Route: String, CaseIterable {
    case health = "GET /health"
    case ready = "GET /ready"
    case metrics = "GET /metrics"
    case createAccount = "POST /v1/accounts"
    case closeAccount = "DELETE /v1/accounts/current"
    case signIn = "POST /v1/sessions"
    case sessions = "GET /v1/sessions"
    case signOut = "DELETE /v1/sessions/{session}"
    case signOutOthers = "DELETE /v1/sessions"
    case renameSession = "PATCH /v1/sessions/{session}"
    case showAccount = "GET /v1/account"
    case changePassword = "PUT /v1/account/password"
    case accounts = "GET /v1/accounts"
    case patchAccount = "PATCH /v1/accounts/{account}"
    case deleteAccount = "DELETE /v1/accounts/{account}"
    case invites = "GET /v1/invites"
    case createInvite = "POST /v1/invites"
    case lookAtInvite = "POST /v1/invites/look"
    case revokeInvite = "DELETE /v1/invites/{invite}"
    case lookAtDevice = "POST /v1/device-requests"
    case decideDevice = "PUT /v1/device-requests"
    case authorizeDevice = "POST /oauth/device_authorization"
    case deviceToken = "POST /oauth/token"
    case conversations = "GET /v1/conversations"
    case deleteConversations = "DELETE /v1/conversations"
    case putConversation = "PUT /v1/conversations/{conversation}"
    case patchConversation = "PATCH /v1/conversations/{conversation}"
    case deleteConversation = "DELETE /v1/conversations/{conversation}"
    case conversation = "GET /v1/conversations/{conversation}"
    case putTurn = "PUT /v1/conversations/{conversation}/turns/{turn}"
    case putFinishedTurn = "PUT /v1/conversations/{conversation}/turns/{turn}/finished"
    case putAnswer = "PUT /v1/turns/{turn}/answers/{answer}"
    case answer = "GET /v1/answers/{answer}"
    case events = "GET /v1/answers/{answer}/events"
    case stop = "POST /v1/answers/{answer}/stop"
    case changes = "GET /v1/changes"
    case search = "GET /v1/search"
    case tasks = "GET /v1/tasks"
    case createTask = "POST /v1/tasks"
    case task = "GET /v1/tasks/{task}"
    case deleteTask = "DELETE /v1/tasks/{task}"
    case taskEvents = "GET /v1/tasks/{task}/events"
    case taskResult = "GET /v1/tasks/{task}/result"
    case createExport = "POST /v1/exports"
    case createImport = "POST /v1/imports"
    case limits = "GET /v1/limits"
    case consent = "GET /v1/consent"
    case putConsent = "PUT /v1/consent"
    case memory = "GET /v1/memory"
    case addFact = "POST /v1/memory"
    case emptyMemory = "DELETE /v1/memory"
    case fact = "GET /v1/memory/{fact}"
    case patchFact = "PATCH /v1/memory/{fact}"
    case deleteFact = "DELETE /v1/memory/{fact}"
    case audit = "GET /v1/account/audit"
    case models = "GET /v1/models"
    case assist = "PUT /v1/assist/{operation}/{key}"
    case reviewAssist = "POST /v1/assist/{operation}/review"
    case openAIModels = "GET /openai/v1/models"
    case openAIChat = "POST /openai/v1/chat/completions"
    case signInLink = "GET /sign-in"
    case interface = "GET /openapi.json"

    case signInWays = "GET /v1/sign-in"
    case challengePasskey = "POST /v1/passkeys/challenge"
    case signInByPasskey = "POST /v1/sessions/passkey"
    case passkeys = "GET /v1/passkeys"
    case putPasskey = "PUT /v1/passkeys/{passkey}"
    case patchPasskey = "PATCH /v1/passkeys/{passkey}"
    case deletePasskey = "DELETE /v1/passkeys/{passkey}"
    case identities = "GET /v1/identities"
    case linkIdentity = "POST /v1/identities"
    case unlinkIdentity = "DELETE /v1/identities/{identity}"
    case startOpenID = "GET /sign-in/oidc"
    case finishOpenID = "GET /sign-in/oidc/callback"

    var method: Substring { rawValue.prefix { $0 != " " } }
    var pattern: Substring { rawValue.drop { $0 != " " }.dropFirst() }

    private typealias Entry = (route: Route, method: Substring, segments: [Substring], places: Int)

    /// The fewest places first: a path that is written out is never taken for the value in another one's place.
    private static let table: [Entry] = allCases.map { route in
        let segments = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
        return (route, route.method, segments, segments.count { $0.first == "{" })
    }.sorted { $0.places < $1.places }

    /// The route of a request and what stands in its pattern's places.
    ///
    /// - Returns: nil where no pattern fits the path: then it may be one of the page's files.
    /// - Throws: `methodNotAllowed`, naming the methods there are.
    static func match(_ method: String, _ path: String) throws(Problem) -> (Route, Parameters)? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let wanted = method == "HEAD" ? "GET" : method
        var allowed: [Substring] = []
        var places: Int?
        for entry in table where entry.segments.count == segments.count {
            if let places, entry.places > places { break }
            guard let values = values(of: segments, in: entry.segments) else { continue }
            if entry.method == wanted { return (entry.route, Parameters(values: values)) }
            allowed.append(entry.method)
            places = entry.places
        }
        guard allowed.isEmpty else {
            throw Problem(.methodNotAllowed, "Allowed here: \(allowed.joined(separator: ", ")).")
        }
        return nil
    }

    /// What stands in a pattern's places; nil if it does not fit.
    private static func values(of segments: [Substring], in pattern: [Substring]) -> [Substring]? {
        var values: [Substring] = []
        for (pattern, segment) in zip(pattern, segments) {
            if pattern.first == "{" {
                values.append(segment)
            } else if pattern != segment {
                return nil
            }
        }
        return values
    }

    /// The values in a path's places, in order.
    struct Parameters {
        let values: [Substring]

        /// Reads an id; its form is checked, whether it exists is not.
        func id<Kind>(_ index: Int) throws(Problem) -> ID<Kind> {
            guard let id = ID<Kind>(values[index]) else {
                throw Problem(.invalidRequest, "An id in the path is not a lower-case UUID.")
            }
            return id
        }
    }
}
