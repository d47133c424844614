import Foundation
import RejoinCore
import Testing

@Suite struct ResponseMachineTests {
    private static let request = RequestID(high: 1, low: 2)

    /// The moves as the statement has them, written down apart from the code.
    private static let allowed: [ResponsePhase: Set<ResponsePhase>] = [
        .idle: [.preparing],
        .preparing: [.streaming, .validating, .refused, .failed, .stopped, .discarded],
        .streaming: [.validating, .interrupted, .stopped, .refused, .failed, .discarded],
        .validating: [.ready, .failed, .stopped, .discarded],
        .ready: [.committing, .discarded],
        .committing: [.committed, .ready, .failed],
        .interrupted: [.streaming, .validating, .discarded, .stopped],
    ]

    /// A machine in a phase, by the shortest way through the table.
    private static func machine(in phase: ResponsePhase, _ kind: ResponseKind) -> ResponseMachine? {
        var seen: Set<ResponsePhase> = [.idle]
        var machines = [ResponseMachine(request: request, kind: kind)]
        while !machines.isEmpty {
            let machine = machines.removeFirst()
            if machine.phase == phase { return machine }
            for event in ResponseEvent.allCases {
                var next = machine
                if (try? next.apply(event)) != nil, seen.insert(next.phase).inserted { machines.append(next) }
            }
        }
        return nil
    }

    @Test("R50 the table holds exactly the moves of the statement, each by at least one event")
    func moves() {
        var found: [ResponsePhase: Set<ResponsePhase>] = [:]
        for move in ResponseMachine.moves { found[move.from, default: []].insert(move.to) }
        #expect(found == Self.allowed)
    }

    @Test(
        "R50 every event in every phase moves as the table says or is refused without a trace",
        arguments: [
            ResponseKind.prose, .actionable,
        ])
    func everyPair(kind: ResponseKind) throws {
        var reached = 0
        for phase in ResponsePhase.allCases {
            guard let machine = Self.machine(in: phase, kind) else {
                #expect(phase == .interrupted && kind == .actionable)
                continue
            }
            reached += 1
            for event in ResponseEvent.allCases {
                let rows = ResponseMachine.moves.filter { $0.from == phase && $0.event == event && $0.isFor(kind) }
                #expect(rows.count <= 1)
                var moved = machine
                if let row = rows.first {
                    let note = try moved.apply(event)
                    #expect(moved.phase == row.to)
                    #expect(note.request == Self.request)
                } else {
                    #expect(throws: IllegalMove(phase: phase, event: event)) { try moved.apply(event) }
                    #expect(moved == machine)
                }
            }
        }
        #expect(reached == (kind == .prose ? 12 : 11))
    }

    @Test("R50 nothing leaves a final phase, and a commit cannot be overtaken")
    func finalPhases() throws {
        for phase in ResponsePhase.allCases {
            #expect(phase.isFinal == !ResponseMachine.moves.contains { $0.from == phase })
        }
        var machine = try #require(Self.machine(in: .committing, .actionable))
        #expect(throws: IllegalMove.self) { try machine.apply(.superseded) }
        #expect(throws: IllegalMove.self) { try machine.apply(.stopped) }
    }

    @Test("R50 a broken line interrupts prose, which stays and is marked, and fails a plan, which goes")
    func dropped() throws {
        var prose = try #require(Self.machine(in: .streaming, .prose))
        _ = try prose.apply(.dropped)
        #expect(prose.phase == .interrupted)
        #expect(prose.keepsPreview && prose.marksPreview)
        _ = try prose.apply(.streamed)
        #expect(prose.phase == .streaming && !prose.marksPreview)

        var plan = try #require(Self.machine(in: .streaming, .actionable))
        _ = try plan.apply(.dropped)
        #expect(plan.phase == .failed)
        #expect(!plan.keepsPreview && !plan.marksPreview)
    }

    @Test("R50 stop and supersede take the preview of a plan away", arguments: [ResponseEvent.stopped, .superseded])
    func takenAway(event: ResponseEvent) throws {
        var plan = try #require(Self.machine(in: .streaming, .actionable))
        #expect(plan.keepsPreview)
        _ = try plan.apply(event)
        #expect(!plan.keepsPreview)
    }

    @Test("R50 what was discarded and what did not hold up are counted apart")
    func notes() throws {
        var tally = ResponseTally()
        for events in [
            [ResponseEvent.requested, .ended, .rejected], [.requested, .streamed, .superseded],
            [.requested, .ended, .validated, .dismissed], [.requested, .failed],
        ] {
            var machine = ResponseMachine(request: Self.request, kind: .actionable)
            for event in events { tally.count(try machine.apply(event)) }
        }
        #expect(tally.moves == 12)
        #expect(tally.discarded == 2)
        #expect(tally.failedValidations == 1)
        #expect(tally.stale == 0)
    }

    @Test("R49 a control with consequences is allowed in one phase")
    func commit() throws {
        for phase in ResponsePhase.allCases {
            guard let machine = Self.machine(in: phase, .prose) else { continue }
            #expect(machine.allowsCommit == (phase == .ready))
        }
    }

    @Test("R50 the page of documentation has the table of the code")
    func page() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "docs/rooms/Response.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let expected = ResponseMachine.moves.map { move in
            let kind =
                switch move.kind {
                case .prose: "prose"
                case .actionable: "actionable"
                case nil: "both"
                }
            return "| `\(move.from)` | `\(move.event)` | \(kind) | `\(move.to)` |"
        }
        #expect(rows == expected)
    }
}
