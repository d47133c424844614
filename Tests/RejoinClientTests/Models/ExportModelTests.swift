import RejoinCore
import RejoinTestKit
import Synchronization
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) @MainActor struct ExportModelTests {
    private func open(
        ending state: String, _ body: @MainActor (ModelScreen, ExportModel) async throws -> Void
    ) async throws {
        let looks = Mutex(0)
        try await ModelScreen.open { screen in
            screen.server.answerRequests { request in
                guard request.url.contains("/v1/exports") || request.url.contains("/v1/tasks/") else { return nil }
                if request.url.hasSuffix("/result") { return .json(Array("archive".utf8)) }
                let number = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                let now = number < 3 ? "running" : state
                let text = """
                    {"id":"00000000-0000-7000-8000-000000000001","kind":"export","state":"\(now)","done":\(number),\
                    "total":4,"result":{"url":"x","size":7}}
                    """
                return .json(Array(text.utf8))
            }
            try await body(screen, ExportModel(client: screen.chat, options: screen.options))
        }
    }

    @Test("A75 an export is a task whose progress shows, and whose archive can be fetched when it is ready")
    func exporting() async throws {
        try await open(ending: "done") { screen, model in
            let running = Task { await model.start() }
            try await eventually("it began") { model.state == .running(share: 0.25) }
            try await eventually("it ended") {
                screen.clock.advance(by: ExportModel.interval)
                await Task.yield()
                if case .running = model.state { return false }
                return true
            }
            await running.value
            guard case .ready(let task) = model.state else {
                Issue.record("\(model.state)")
                return
            }
            #expect(task.archiveSize == 7 && task.isOver)
            var bytes: [UInt8] = []
            try await screen.chat.client.archive(of: task.id) { bytes += $0 }
            #expect(bytes == Array("archive".utf8))
        }
    }

    @Test("A75 A76 an export that fails says so, and one that is not offered leaves nothing to show")
    func failing() async throws {
        try await open(ending: "failed") { screen, model in
            let running = Task { await model.start() }
            try await eventually("it ended") {
                screen.clock.advance(by: ExportModel.interval)
                await Task.yield()
                return model.state == .failed(nil)
            }
            await running.value
        }
        try await ModelScreen.open { screen in
            let model = ExportModel(client: screen.chat, options: screen.options)
            await model.start()
            #expect(model.state == .notOffered)
        }
    }
}
