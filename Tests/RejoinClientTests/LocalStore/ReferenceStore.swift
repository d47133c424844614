import RejoinCore

@testable import RejoinClient

/// The store as a few arrays: what the verbs mean, without files, keys or an index.
struct ReferenceStore {
    private struct Entry {
        var kind: OutboxKind
        var conversation: ConversationID?
    }

    private var conversations: [ConversationID: StoredConversation] = [:]
    /// In the order in which they came; the server's places beside them.
    private var turns: [StoredTurn] = []
    private var answers: [StoredAnswer] = []
    private var turnPlaces: [TurnID: Int] = [:]
    private var answerPlaces: [AnswerID: Int] = [:]
    private var outbox: [Entry] = []
    private var drafts: [ConversationID?: String] = [:]
    private var deleted: Set<ConversationID> = []

    /// What a front can see.
    var view: StoreView {
        var view = StoreView()
        view.list = conversations.values.map(line).sorted { $0.position.precedes($1.position) }
        for line in view.list {
            let own = ordered(turns.filter { $0.conversation == line.id }, turnPlaces, \.id)
            var order: [TurnID: [AnswerID]] = [:]
            var held: [AnswerID: StoredAnswer] = [:]
            for turn in own {
                order[turn.id] = answerIDs(of: turn.id)
                for stored in answers where stored.answer.turn == turn.id { held[stored.answer.id] = stored }
            }
            view.trees[line.id] = StoredTree(conversation: line, turns: own, answers: held, order: order)
        }
        view.outbox = outbox.map { StoreView.Told(kind: $0.kind, conversation: $0.conversation) }
        for (place, text) in drafts { view.drafts[place.map { "\($0.low)" } ?? "new"] = text }
        view.deleted = Set(deleted.map(\.low))
        return view
    }

    private func line(_ conversation: StoredConversation) -> StoredConversation {
        var line = conversation
        line.unsent = turns.count { $0.conversation == line.id && $0.delivery.isUnsent }
        return line
    }

    private func ordered<Item, Key: Hashable>(
        _ items: [Item], _ places: [Key: Int], _ key: (Item) -> Key
    ) -> [Item] {
        items.enumerated().sorted { left, right in
            switch (places[key(left.element)], places[key(right.element)]) {
            case (let left?, let right?) where left != right: left < right
            case (nil, _?): false
            case (_?, nil): true
            default: left.offset < right.offset
            }
        }.map(\.element)
    }

    private func answerIDs(of turn: TurnID) -> [AnswerID] {
        ordered(answers.filter { $0.answer.turn == turn }, answerPlaces) { $0.answer.id }.map(\.answer.id)
    }

    private func index(of turn: TurnID) -> Int? { turns.firstIndex { $0.id == turn } }
    private func index(of answer: AnswerID) -> Int? { answers.firstIndex { $0.answer.id == answer } }
    private func conversation(of answer: AnswerID) -> ConversationID? {
        index(of: answer).flatMap { answer in index(of: answers[answer].answer.turn) }.map { turns[$0].conversation }
    }

    /// Does what the verb says.
    ///
    /// - Returns: what came of it, in the words of ``StoreVerb``.
    mutating func run(_ verb: StoreVerb) -> String {
        switch verb {
        case .begin(let turn): return "\(begin(turn, StoreSample.answer(turn.id.low)))"
        case .beginAnswer(let turn, let answer):
            return "\(beginAnswer(StoreSample.turn(turn), StoreSample.answer(answer)))"
        case .startSending(let turn): return "\(move(turn, from: { $0 == .waitingKind }, to: .sending))"
        case .postpone(let turn):
            return "\(move(turn, from: { $0 == .sendingKind }, to: .waiting(since: StoreVerb.now, expires: nil)))"
        case .deliverTurn(let turn): return "\(deliver(StoreSample.turn(turn)))"
        case .deliverAnswer(let answer): return "\(deliver(StoreSample.answer(answer)))"
        case .refuse(let turn): return "\(refuse(StoreSample.turn(turn)))"
        case .expire(let turn): return "\(expire(StoreSample.turn(turn)))"
        case .cancel(let turn): return "\(cancel(StoreSample.turn(turn)))"
        case .resend(let turn): return "\(resend(StoreSample.turn(turn))?.low ?? 0)"
        case .append(let answer, let events): return "\(append(StoreSample.answer(answer), events))"
        case .replace(let answer): return "\(replace(answer))"
        case .mark(let answer, let state): return "\(mark(StoreSample.answer(answer), state))"
        case .stop(let answer): return "\(stop(StoreSample.answer(answer)))"
        case .select(let answer): return "\(select(StoreSample.answer(answer)))"
        case .rename(let id, let title):
            return "\(change(id, .rename(title)) { $0.title = .person(title) })"
        case .pin(let id, let isPinned): return "\(change(id, .pin(isPinned)) { $0.isPinned = isPinned })"
        case .archive(let id, let isArchived):
            return "\(change(id, .archive(isArchived)) { $0.isArchived = isArchived })"
        case .delete(let number):
            let id = StoreSample.conversation(number)
            guard conversations[id] != nil else { return "false" }
            remove(id)
            deleted.insert(id)
            tell(.delete, id)
            return "true"
        case .deleteAll:
            for id in conversations.keys {
                remove(id)
                deleted.insert(id)
            }
            drafts = drafts.filter { $0.key == nil }
            outbox = []
            tell(.deleteAll, nil)
        case .applyDeletion(let number):
            deleted.insert(StoreSample.conversation(number))
            remove(StoreSample.conversation(number))
        case .mergeLine(let line): _ = merge(line)
        case .mergeTree(let tree): return "\(merge(tree))"
        case .saveDraft(let number, let text):
            let id = number.map { StoreSample.conversation($0) }
            if let id, deleted.contains(id) { return "done" }
            drafts[id] = text.isEmpty ? nil : text
        case .finishFirst:
            if outbox.isEmpty { return "none" }
            outbox.removeFirst()
        case .interruptLeftovers:
            let leftovers = answers.filter { $0.local == .streaming }.map(\.answer.id).sorted()
            for answer in leftovers { _ = mark(answer, .interrupted) }
            return "\(leftovers.map(\.low))"
        }
        return "done"
    }

    private mutating func tell(_ kind: OutboxKind, _ id: ConversationID?) {
        outbox.removeAll { entry in
            guard entry.conversation == id else { return false }
            switch (kind, entry.kind) {
            case (.delete, _), (.select, .select), (.rename, .rename), (.pin, .pin), (.archive, .archive),
                (.askForPath, .askForPath):
                return true
            default: return false
            }
        }
        if case .stop = kind, outbox.contains(where: { $0.kind == kind }) { return }
        outbox.append(Entry(kind: kind, conversation: id))
    }

    private mutating func untell(_ turn: TurnID) {
        outbox.removeAll { entry in
            switch entry.kind {
            case .turn(turn, _), .regenerate(turn, _): true
            default: false
            }
        }
    }

    private mutating func untell(regenerating answer: AnswerID) {
        outbox.removeAll { if case .regenerate(_, answer) = $0.kind { true } else { false } }
    }

    private mutating func begin(_ turn: StoredTurn, _ answer: AnswerID) -> Begun {
        if deleted.contains(turn.conversation) { return .deleted }
        if index(of: turn.id) != nil || index(of: answer) != nil { return .repeated }
        if let parent = turn.parent, conversation(of: parent) != turn.conversation { return .unknownParent }
        let isNew = conversations[turn.conversation] == nil
        drafts[isNew ? nil : turn.conversation] = nil
        var line =
            conversations[turn.conversation]
            ?? StoredConversation(id: turn.conversation, updatedAt: turn.createdAt, isComplete: true)
        line.updatedAt = max(line.updatedAt, turn.createdAt)
        line.selected = answer
        if line.title == .none { line.title = .firstWords(ContentPart.text(of: turn.content)) }
        conversations[turn.conversation] = line
        turns.append(turn)
        answers.append(
            StoredAnswer(
                answer: Answer(id: answer, turn: turn.id),
                local: turn.delivery.kind == .waitingKind ? .waiting : .sending))
        tell(.turn(turn.id, answer: answer), turn.conversation)
        return .begun
    }

    private mutating func beginAnswer(_ turn: TurnID, _ answer: AnswerID) -> Begun {
        guard let owner = index(of: turn) else { return .unknownParent }
        if index(of: answer) != nil { return .repeated }
        answers.append(StoredAnswer(answer: Answer(id: answer, turn: turn), local: .sending))
        conversations[turns[owner].conversation]?.selected = answer
        tell(.regenerate(turn, answer), turns[owner].conversation)
        return .begun
    }

    private mutating func setDelivery(_ delivery: Delivery, _ turn: Int) {
        turns[turn].delivery = delivery
        let local: LocalState =
            switch delivery {
            case .waiting: .waiting
            case .sending, .onDevice: .sending
            case .delivered: .streaming
            case .refused, .expired: .none
            }
        for index in answers.indices where answers[index].answer.turn == turns[turn].id {
            let stored = answers[index]
            guard stored.answer.seq == 0, stored.answer.state == .queued else { continue }
            if [.none, .sending, .waiting].contains(stored.local) { answers[index].local = local }
        }
    }

    private mutating func move(_ number: UInt64, from: (Delivery.Kind) -> Bool, to: Delivery) -> Bool {
        guard let turn = index(of: StoreSample.turn(number)), from(turns[turn].delivery.kind) else { return false }
        setDelivery(to, turn)
        return true
    }

    private mutating func deliver(_ id: TurnID) -> Bool {
        guard let turn = index(of: id), turns[turn].delivery != .delivered else { return false }
        setDelivery(.delivered, turn)
        untell(id)
        return true
    }

    private mutating func deliver(_ id: AnswerID) -> Bool {
        guard let answer = index(of: id), [.sending, .waiting].contains(answers[answer].local) else { return false }
        _ = mark(id, .streaming)
        untell(regenerating: id)
        return true
    }

    /// The turn and all unsent ones that hang below it by unsent ones.
    private func unsentBelow(_ turn: Int) -> [Int] {
        var found: [Int] = []
        for (index, each) in turns.enumerated() where each.delivery.isUnsent && index != turn {
            guard let parent = each.parent, let owner = self.index(of: parent) else { continue }
            if ([turn] + found).contains(where: { turns[$0].id == answers[owner].answer.turn }) { found.append(index) }
        }
        return found
    }

    private mutating func giveBack(_ turn: Int, to place: ConversationID?) {
        if drafts[place]?.isEmpty ?? true { drafts[place] = ContentPart.text(of: turns[turn].content) }
    }

    private mutating func refuse(_ id: TurnID) -> Bool {
        guard let turn = index(of: id), turns[turn].delivery != .delivered else { return false }
        for follower in unsentBelow(turn) {
            setDelivery(.refused(ClientRefusal(.parentUnsent)), follower)
            untell(turns[follower].id)
        }
        setDelivery(.refused(ClientRefusal(.offline)), turn)
        untell(id)
        giveBack(turn, to: turns[turn].conversation)
        return true
    }

    private mutating func expire(_ id: TurnID) -> Bool {
        guard let turn = index(of: id), turns[turn].delivery.kind == .waitingKind else { return false }
        for each in [turn] + unsentBelow(turn) {
            setDelivery(.expired, each)
            untell(turns[each].id)
        }
        return true
    }

    private mutating func cancel(_ id: TurnID) -> Bool {
        guard let turn = index(of: id), ![.sendingKind, .deliveredKind].contains(turns[turn].delivery.kind) else {
            return false
        }
        untell(id)
        let gone = turns[turn]
        let isAlone =
            !turns.contains { $0.conversation == gone.conversation && $0.id != id }
            && !outbox.contains { $0.conversation == gone.conversation && $0.kind != .askForPath }
        if isAlone, drafts[nil] == nil, let draft = drafts[gone.conversation] {
            drafts[nil] = draft
        } else if gone.delivery.kind != .refusedKind {
            giveBack(turn, to: isAlone ? nil : gone.conversation)
        }
        var wasChosen = false
        for answer in answerIDs(of: id) {
            for index in turns.indices where turns[index].parent == answer { turns[index].parent = gone.parent }
            if conversations[gone.conversation]?.selected == answer {
                conversations[gone.conversation]?.selected = gone.parent
                wasChosen = true
            }
            answerPlaces[answer] = nil
        }
        answers.removeAll { $0.answer.turn == id }
        turns.removeAll { $0.id == id }
        turnPlaces[id] = nil
        if isAlone {
            remove(gone.conversation)
        } else if wasChosen, conversations[gone.conversation]?.selected.map(isTaken) ?? true {
            tell(.askForPath, gone.conversation)
        }
        return true
    }

    private mutating func resend(_ id: TurnID) -> AnswerID? {
        guard let turn = index(of: id), turns[turn].delivery.isDead, let answer = answerIDs(of: id).last else {
            return nil
        }
        setDelivery(.sending, turn)
        conversations[turns[turn].conversation]?.selected = answer
        tell(.turn(id, answer: answer), turns[turn].conversation)
        return answer
    }

    private mutating func remove(_ id: ConversationID) {
        for turn in turns where turn.conversation == id {
            for answer in answerIDs(of: turn.id) { answerPlaces[answer] = nil }
            turnPlaces[turn.id] = nil
            answers.removeAll { $0.answer.turn == turn.id }
        }
        turns.removeAll { $0.conversation == id }
        if conversations[id] != nil {
            outbox.removeAll { $0.conversation == id }
            drafts[id] = nil
        }
        conversations[id] = nil
    }

    private mutating func change(
        _ number: UInt64, _ kind: OutboxKind, _ body: (inout StoredConversation) -> Void
    ) -> Bool {
        let id = StoreSample.conversation(number)
        guard var line = conversations[id] else { return false }
        body(&line)
        conversations[id] = line
        tell(kind, id)
        return true
    }

    private mutating func select(_ answer: AnswerID) -> Bool {
        guard let id = conversation(of: answer) else { return false }
        conversations[id]?.selected = answer
        tell(.select(answer), id)
        return true
    }
}

extension ReferenceStore {
    private mutating func append(_ id: AnswerID, _ events: [NumberedEvent]) -> Appended {
        guard let place = index(of: id) else { return .unknown }
        let old = answers[place]
        if old.answer.state.end != nil {
            return events.allSatisfy { $0.seq <= old.answer.seq } ? .appended(old.answer.seq) : .dropped
        }
        if old.local == .stopRequested {
            for case .withdrawn(let reason) in events.map(\.event) { _ = mark(id, .withdrawn(reason: reason)) }
            if case .end(let end)? = events.last?.event, answers[place].answer.withdrawal != nil { finish(place, end) }
            return .dropped
        }
        var fold = old.answer
        var hasGap = false
        for event in events.sorted(by: { $0.seq < $1.seq }) where fold.apply(event) == .gap { hasGap = true }
        if fold != old.answer {
            answers[place].answer = fold
            if let reason = fold.withdrawal {
                answers[place].local = .withdrawn(reason: reason)
            } else {
                answers[place].local = fold.state.end == nil ? .streaming : .none
            }
        }
        return hasGap ? .gap(after: fold.seq) : .appended(fold.seq)
    }

    private mutating func finish(_ place: Int, _ end: Event.End) {
        let old = answers[place].answer
        answers[place].answer = Answer(
            id: old.id, turn: old.turn, state: .ended(end), seq: old.seq, content: old.content,
            withdrawal: old.withdrawal)
        if old.withdrawal == nil { answers[place].local = .none }
    }

    private mutating func replace(_ new: Answer) -> Replaced {
        guard let place = index(of: new.id), answers[place].answer.turn == new.turn else { return .unknown }
        let old = answers[place]
        let isLater = new.seq > old.answer.seq
        if let reason = new.withdrawal, old.answer.withdrawal == nil, new.seq >= old.answer.seq {
            answers[place] = StoredAnswer(answer: new, local: .withdrawn(reason: reason))
            return .replaced
        }
        let isEnd = new.state.end != nil
        if !isLater || !isEnd && (old.answer.state.end != nil || old.local == .stopRequested) { return .unchanged }
        let isLonger = new.text.hasPrefix(old.answer.text)
        if !isLonger && !isEnd { return .refused }
        answers[place].answer = Answer(
            id: new.id, turn: new.turn, state: new.state, seq: new.seq,
            content: isLonger ? new.content : old.answer.content, withdrawal: old.answer.withdrawal)
        if isEnd, old.answer.withdrawal == nil { answers[place].local = .none }
        return .replaced
    }

    private mutating func mark(_ id: AnswerID, _ state: LocalState) -> Bool {
        guard let place = index(of: id) else { return false }
        let old = answers[place]
        if case .withdrawn(let reason) = state {
            if old.answer.withdrawal != nil { return false }
            answers[place] = StoredAnswer(
                answer: Answer(
                    id: id, turn: old.answer.turn, state: old.answer.state, seq: old.answer.seq, content: [],
                    withdrawal: reason), local: state)
            return true
        }
        let isFixed = old.answer.state.end != nil || old.answer.withdrawal != nil
        if isFixed || old.local == state || old.local == .stopRequested { return false }
        answers[place].local = state
        return true
    }

    private mutating func stop(_ id: AnswerID) -> Bool {
        guard let place = index(of: id), answers[place].answer.state.end == nil else { return false }
        if answers[place].local == .stopRequested { return true }
        guard mark(id, .stopRequested) else { return false }
        tell(.stop(id), conversation(of: id))
        return true
    }

    private mutating func merge(_ new: ServerConversation) -> Bool {
        if deleted.contains(new.id) { return false }
        let time = new.updatedAt ?? StoreSample.time(0)
        guard var line = conversations[new.id] else {
            conversations[new.id] = StoredConversation(
                id: new.id, title: new.title.isEmpty ? .none : .server(new.title), updatedAt: time,
                isPinned: new.isPinned, isArchived: new.isArchived)
            return true
        }
        let pending = outbox.filter { $0.conversation == new.id }.map(\.kind)
        let renames = pending.contains { if case .rename = $0 { true } else { false } }
        let pins = pending.contains { if case .pin = $0 { true } else { false } }
        let archives = pending.contains { if case .archive = $0 { true } else { false } }
        if !new.title.isEmpty, !renames {
            if case .person = line.title { line.title = .person(new.title) } else { line.title = .server(new.title) }
        }
        let hasUnsent = turns.contains { $0.conversation == new.id && $0.delivery.isUnsent }
        line.updatedAt = hasUnsent ? max(line.updatedAt, time) : time
        if !pins { line.isPinned = new.isPinned }
        if !archives { line.isArchived = new.isArchived }
        conversations[new.id] = line
        return true
    }

    private mutating func merge(_ new: ServerTree) -> Merged {
        let id = new.conversation.id
        let choosing = outbox.contains { entry in
            guard entry.conversation == id else { return false }
            switch entry.kind {
            case .turn, .regenerate, .select: return true
            default: return false
            }
        }
        guard merge(new.conversation) else { return .deleted }
        for (place, turn) in new.turns.enumerated() {
            if index(of: turn.id) != nil {
                _ = deliver(turn.id)
            } else {
                turns.append(
                    StoredTurn(
                        id: turn.id, conversation: id, parent: turn.parent, content: turn.content,
                        createdAt: turn.createdAt ?? StoreSample.time(0), delivery: .delivered))
            }
            turnPlaces[turn.id] = place
            for (place, answer) in turn.answers.enumerated() {
                if index(of: answer.id) == nil {
                    answers.append(StoredAnswer(answer: Answer(id: answer.id, turn: turn.id)))
                }
                answerPlaces[answer.id] = place
                _ = replace(answer)
                untell(regenerating: answer.id)
            }
        }
        conversations[id]?.isComplete = true
        let current = conversations[id]?.selected
        guard let selected = new.selected, selected != current else { return .merged }
        if choosing {
            tell(.askForPath, id)
        } else if conversation(of: selected) == id,
            current.map({ isTaken($0) || !isOnPath(selected, to: $0) }) ?? true
        {
            conversations[id]?.selected = selected
        }
        return .merged
    }

    /// Whether the server took the turn of an answer, and did not decline to begin it.
    private func isTaken(_ answer: AnswerID) -> Bool {
        guard let place = index(of: answer), let turn = index(of: answers[place].answer.turn) else { return false }
        let isDeclined = answers[place].answer.seq == 0 && answers[place].answer.state.end != nil
        return turns[turn].delivery == .delivered && !isDeclined
    }

    private func isOnPath(_ answer: AnswerID, to end: AnswerID) -> Bool {
        var next: AnswerID? = end
        for _ in 0...100 {
            guard let current = next else { return false }
            if current == answer { return true }
            next = index(of: current).flatMap { index(of: answers[$0].answer.turn) }.flatMap { turns[$0].parent }
        }
        return false
    }
}

extension Delivery {
    /// The case without what it carries.
    enum Kind { case waitingKind, sendingKind, deliveredKind, refusedKind, expiredKind, onDeviceKind }

    var kind: Kind {
        switch self {
        case .waiting: .waitingKind
        case .sending: .sendingKind
        case .delivered: .deliveredKind
        case .refused: .refusedKind
        case .expired: .expiredKind
        case .onDevice: .onDeviceKind
        }
    }
}
