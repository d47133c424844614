import Synchronization

/// What the operator has switched off since the start, without a restart.
///
/// It can forbid and no more: what is not off is still bound by the configuration of the start, by plans and by consent.
package final class KillSwitches: Sendable {
    /// A part of the server that can be switched off whole.
    package enum Part: String, Sendable, CaseIterable {
        /// Every new turn, of every model.
        case answers
        /// Titles by a model.
        case titles
        /// Memory: facts are neither proposed nor given to a model.
        case memory
        /// The endpoints for programs that speak OpenAI's interface.
        case openai
    }

    /// What is off: a value that a configuration says and a reload replaces.
    package struct Off: Sendable, Equatable {
        package var parts: Set<Part>
        /// Names of models.
        package var models: Set<String>

        package init(parts: Set<Part> = [], models: Set<String> = []) {
            self.parts = parts
            self.models = models
        }
    }

    private let state: Mutex<Off>

    package init(_ off: Off = Off()) { state = Mutex(off) }

    /// Puts new switches in the place of the old ones.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    package func replace(_ off: Off) -> Bool {
        state.withLock { state in
            defer { state = off }
            return state != off
        }
    }

    package func isOff(_ part: Part) -> Bool { state.withLock { $0.parts.contains(part) } }

    /// Whether a model may not be asked; with all answers off that is every model.
    package func isOff(model: String) -> Bool {
        state.withLock { $0.parts.contains(.answers) || $0.models.contains(model) }
    }
}
