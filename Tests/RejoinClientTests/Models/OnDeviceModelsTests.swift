import RejoinAssist
import RejoinClient
import RejoinTestKit
import Testing

@Suite(.timeLimit(.minutes(1))) @MainActor struct OnDeviceModelsTests {
    @Test("R22 on this device only, nothing that a front shows of the account is asked for, and it says why")
    func silence() async throws {
        try await ModelScreen.open(configure: { $0.mode = .onDeviceOnly }) { screen in
            let wasAsked = Flag()
            screen.server.answerRequests { _ in
                wasAsked.set()
                return nil
            }
            let memory = MemoryModel(client: screen.chat, options: screen.options)
            let consent = ConsentModel(client: screen.chat, options: screen.options)
            let account = AccountModel(client: screen.chat, options: screen.options)
            let export = ExportModel(client: screen.chat, options: screen.options)
            let limits = LimitsModel(client: screen.chat, options: screen.options)
            await memory.refresh()
            await consent.refresh()
            await account.readDevices()
            await export.start()
            #expect(await limits.refresh()?.refusal.code == .offline)
            #expect(memory.notice?.refusal.code == .offline)
            guard case .unavailable(let notice) = account.devices, case .failed(let failure) = export.state else {
                Issue.record("\(account.devices), \(export.state)")
                return
            }
            #expect(notice.refusal.code == .offline && failure?.refusal.code == .offline)
            #expect(!wasAsked.isSet)
            screen.chat.mode = .automatic
            await account.readDevices()
            #expect(wasAsked.isSet)
        }
    }
}
