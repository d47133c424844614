public import RejoinCore

/// A model's pieces as updates of one response: previews while it talks, one decode at the end, one last word.
///
/// It never throws, and its last element is final, also where no piece came at all. It is pulled: nothing runs between
/// two calls of `next()`, and cancelling the task that reads it cancels what is upstream.
public struct ResponseUpdates<O: AssistantOperation>: AsyncSequence, Sendable {
    /// An update.
    public typealias Element = ResponseUpdate<O>
    /// None: what goes wrong is the last element.
    public typealias Failure = Never

    private let pull: @Sendable () -> Pull

    /// The next piece, or `nil` at the end.
    typealias Pull = (isolated (any Actor)?) async throws -> String?

    private let id: ProposalID
    private let route: Route
    private let input: O.Input

    /// Reads pieces of text.
    ///
    /// - Parameters:
    ///   - id: names the proposal that may come of it.
    ///   - route: where the pieces come from.
    ///   - input: what they answer.
    ///   - pieces: the model's output, cut anywhere.
    public init<Pieces: AsyncSequence & Sendable>(id: ProposalID, route: Route, input: O.Input, pieces: Pieces)
    where Pieces.Element == String {
        self.id = id
        self.route = route
        self.input = input
        pull = {
            var iterator = pieces.makeAsyncIterator()
            return { isolation in try await iterator.next(isolation: isolation) }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pull: pull(), id: id, route: route, input: input, preview: Preview(of: O.task(for: input)))
    }

    /// Reads one response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Stage { case reading, checking, done }

        private let pull: Pull
        private let id: ProposalID
        private let route: Route
        private let input: O.Input
        private var preview: Preview
        private var whole = ""
        private var stage = Stage.reading

        init(pull: @escaping Pull, id: ProposalID, route: Route, input: O.Input, preview: Preview) {
            self.pull = pull
            self.id = id
            self.route = route
            self.input = input
            self.preview = preview
        }

        /// The next update; `nil` after the final one.
        public mutating func next() async -> ResponseUpdate<O>? {
            switch stage {
            case .reading: await read()
            case .checking: check()
            case .done: nil
            }
        }

        /// Reads until there is more to show.
        private mutating func read() async -> ResponseUpdate<O> {
            do {
                while let piece = try await pull(#isolation) {
                    whole += piece
                    if preview.append(piece) { return .preview(preview.text) }
                }
                stage = .checking
                return .ended
            } catch {
                stage = .done
                return .failed(AssistantFailure(error))
            }
        }

        private mutating func check() -> ResponseUpdate<O> {
            stage = .done
            do throws(ValidationFailure) {
                let draft = try O.draft(from: whole, for: input)
                let output = try O.pipeline(draft, against: input)
                return .proposal(Proposal(id: id, route: route, input: input, output: output))
            } catch {
                return .rejected(error)
            }
        }
    }
}
