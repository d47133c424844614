import Testing

@Suite struct AssistLayoutTests {
    @Test(
        "R04 what views bind to knows of no route: neither of the server, nor of the device's model, nor of the policy")
    func viewsKnowNoRoute() throws {
        let names = [
            "CloudExecutor", "CloudTransport", "CloudConfiguration", "LocalService", "LocalEngine", "LocalSession",
            "RoutePolicy", "RouteEnvironment", "RoutePreference", "ConsentLedger", "ModelDelivery",
        ]
        let files = Repository.swift(in: "Sources").filter {
            $0.path.hasPrefix("Sources/RejoinAssist/Response/") || $0.path.hasPrefix("Sources/RejoinAssist/Review/")
        }
        #expect(files.count > 8)
        var wrong: [String] = []
        for file in files {
            wrong += file.places { _, line in names.contains(where: line.code.contains) }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }
}
