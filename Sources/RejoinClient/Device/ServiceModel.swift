public import RejoinAssist
public import RejoinCore
import Synchronization

/// A device's model behind the gate of the assistant's operations, so that both never run at once.
///
/// Any engine of an app will do. What was said before is left out from its beginning, visibly, where it does not fit.
public struct ServiceModel: DeviceModel {
    public let name: String
    private let service: LocalService
    private let instructions: String
    private let maximumTokens: Int

    /// Answers conversations with the model behind a gate.
    ///
    /// - Parameters:
    ///   - instructions: what the model is told before each conversation; empty for nothing.
    ///   - maximumTokens: the longest answer: a small model may go on for ever.
    public init(name: String, service: LocalService, instructions: String = "", maximumTokens: Int = 1024) {
        self.name = name
        self.service = service
        self.instructions = instructions
        self.maximumTokens = maximumTokens
    }

    public var availability: LocalAvailability {
        get async { await service.availability }
    }

    /// What has been told so far of one answer.
    private struct Told {
        var text = ""
        var droppedTurns = 0
    }

    public func answer(_ prompt: DevicePrompt, emit: @escaping @Sendable (Event) -> Void) async -> Event.End {
        let told = Mutex(Told())
        var earlier = prompt.earlier[...]
        while true {
            let dropped = prompt.earlier.count - earlier.count
            let task = ModelTask(
                instructions: instructions, prompt: prompt.prompt, maximumTokens: maximumTokens,
                conversation: Array(earlier))
            let show = { @Sendable (text: String) in
                told.withLock { told in
                    // A model may take back what it said; what was shown stays until the answer is whole.
                    guard text.utf8.count > told.text.utf8.count, text.utf8.starts(with: told.text.utf8) else { return }
                    if dropped > told.droppedTurns {
                        told.droppedTurns = dropped
                        emit(.compaction(droppedTurns: dropped, summary: nil))
                    }
                    emit(.text(String(decoding: text.utf8.dropFirst(told.text.utf8.count), as: UTF8.self)))
                    told.text = text
                }
            }
            do throws(AssistantFailure) {
                let text = try await service.respond(to: task, preview: show)
                show(text)
                guard !text.allSatisfy(\.isWhitespace) else { return Event.End(.failed, .emptyAnswer) }
                emit(.usage(usage(of: task, text)))
                return Event.End(.done, .complete)
            } catch {
                if error == .contextTooLarge, !earlier.isEmpty {
                    earlier.removeFirst()
                    continue
                }
                // Plain text cannot be unreadable: it was cut at its longest.
                let isCut = error == .decoding && told.withLock { !$0.text.isEmpty }
                return isCut ? Event.End(.done, .length) : Self.end(after: error)
            }
        }
    }

    /// By rule of thumb, four bytes a token: the gate tells nothing of tokens.
    private func usage(of task: ModelTask, _ text: String) -> Event.Usage {
        Event.Usage(
            inputTokens: (task.wholePrompt.utf8.count + 3) / 4, outputTokens: (text.utf8.count + 3) / 4,
            isEstimated: true)
    }

    private static func end(after failure: AssistantFailure) -> Event.End {
        switch failure {
        case .cancelled: Event.End(.stopped, .stoppedByPerson)
        case .contextTooLarge: Event.End(.refused, .contextTooLarge)
        case .guardrail: Event.End(.refused, .contentFilter)
        case .refused, .unsupportedLanguage, .capabilityMissing: Event.End(.refused, reason: nil)
        case .assetsUnavailable, .busy, .quotaReached: Event.End(.failed, .modelUnavailable)
        case .decoding: Event.End(.failed, .upstreamMalformed)
        case .timeout, .serviceDown: Event.End(.failed, .upstreamFailed)
        default: Event.End(.failed, .internalError)
        }
    }
}
