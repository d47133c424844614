import RejoinAssist
import RejoinCore
import Synchronization

@testable import RejoinClient

/// A model of a device that repeats the prompt word by word, as many words as a test lets it say.
final class ScriptedDevice: DeviceModel {
    struct State {
        var availability = LocalAvailability.ready(CapabilityRecord(capabilities: .text, contextSize: 400))
        var prompts: [DevicePrompt] = []
        var allowed = 0
        var said = 0
        var cancelled = 0
    }

    let name = "pocket"
    private let state = Mutex(State())
    private let bell = WakeUp()

    /// - Parameter words: how many words it may say before a test allows more.
    init(words: Int = .max) { state.withLock { $0.allowed = words } }

    func read<Value>(_ body: (State) -> sending Value) -> sending Value { state.withLock { body($0) } }

    func set(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        bell.call()
    }

    var prompts: [DevicePrompt] { read { $0.prompts } }
    var availability: LocalAvailability { get async { read { $0.availability } } }

    func answer(_ prompt: DevicePrompt, emit: @escaping @Sendable (Event) -> Void) async -> Event.End {
        state.withLock { $0.prompts.append(prompt) }
        for word in prompt.prompt.split(separator: " ") {
            while true {
                let seen = bell.count
                if Task.isCancelled {
                    set { $0.cancelled += 1 }
                    return Event.End(.stopped, .stoppedByPerson)
                }
                let maySpeak = state.withLock { state in
                    guard state.said < state.allowed else { return false }
                    state.said += 1
                    return true
                }
                if maySpeak { break }
                try? await bell.wait(beyond: seen, clock: ContinuousClock())
            }
            emit(.text("\(word)! "))
        }
        return Event.End(.done, .complete)
    }
}
