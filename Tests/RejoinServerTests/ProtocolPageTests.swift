import Foundation
import RejoinCore
import Testing

@testable import RejoinServer

/// The page about the wire, held to what the server has.
@Suite struct ProtocolPageTests {
    private let page: String = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/protocol.md")
        return (try? String(contentsOf: file.standardizedFileURL, encoding: .utf8)) ?? ""
    }()

    @Test("S30 the page about the wire lists the routes that there are, each once")
    func routes() {
        let listed = page.matches(of: /(?m)^\| `([A-Z]+ \/[^`]*)` \|/).map { String($0.1) }
        let routes = Set(Route.allCases.map(\.rawValue))
        #expect(routes.subtracting(listed) == [], "Routes that docs/protocol.md does not have")
        #expect(Set(listed).subtracting(routes) == [], "Routes that only docs/protocol.md has")
        #expect(listed.count == routes.count)
    }

    @Test func `the page has every kind of problem and of change, and every type of event`() {
        for kind in Problem.Kind.allCases { #expect(page.contains("`\(kind.rawValue)`"), "\(kind.rawValue)") }
        for kind in Change.Kind.allCases { #expect(page.contains("`\(kind.rawValue)`"), "\(kind.rawValue)") }
        for type in WireDescription.answerEvents.map(\.key) { #expect(page.contains("`\(type)`"), "\(type)") }
        for state in EndState.allCases { #expect(page.contains("`\(state.rawValue)`"), "\(state.rawValue)") }
    }
}
