import RejoinClient
import RejoinCore

/// A chat on a whole screen: models say what there is to show, keys say what is to be done, and a view is drawn.
///
/// At most one frame is drawn per thirtieth of a second while something changes, and none while nothing does.
@MainActor final class ChatProgram {
    /// Everything that can happen, in one line.
    enum Event: Sendable {
        case screen(ScreenEvent)
        /// Something that a model shows is no longer as it was read.
        case changed(Subject)
        case outcome(Outcome)
        /// A moment that was waited for.
        case alarm(Alarm, number: Int)
        case ended
    }

    /// What is waited for; a newer wait of a kind takes the place of the older.
    enum Alarm: Hashable, Sendable { case frame, keys, clock }

    /// What a model shows, read and watched together.
    ///
    /// What belongs to a conversation has its ``Sitting``'s number: what is told late of one that was left is not
    /// read.
    enum Subject: Hashable, Sendable {
        case account, limits, list
        case conversation(Int)
        case composer(Int)
        case answer(AnswerID, Int)
    }

    /// What came of something that was asked for.
    enum Outcome: Sendable {
        case refused(RefusalNotice)
        case done(String)
        /// A prompt is in the store, or its words are in the composer again.
        case submitted(Int)
        /// The path leads to a message that was looked for.
        case sought(MessageID)
        /// The store was read for the first time.
        case read(Int)
    }

    nonisolated static let frameInterval = Duration.milliseconds(33)
    /// How long a sequence of a key may take to arrive; over slow lines it comes in pieces.
    nonisolated static let keyPatience = Duration.milliseconds(60)

    let client: ConversationClient
    let screen: any Screen
    let folder: ClientFolder?
    let wanted: ConversationID?
    let post: AsyncStream<Event>.Continuation
    private let events: AsyncStream<Event>
    let jobs: AsyncStream<Job>.Continuation
    private let jobLine: AsyncStream<Job>

    typealias Job = @MainActor @Sendable () async -> Void

    let account: AccountModel
    let limits: LimitsModel
    let list: ConversationListModel
    /// The conversation on the screen.
    var sitting: Sitting

    var view: ChatView
    var chatScreen: ChatScreen
    private var painter: Painter
    private var decoder = KeyDecoder()
    private var alarms: [Alarm: Int] = [:]
    private var lastAlarm = 0
    private var wantedAlarms: [(Alarm, Duration)] = []
    /// The moment for which the clock's alarm is set.
    private var clockMoment: Timestamp?
    private var isDirty = true
    private var mayDraw = true
    private var isOver = false

    /// The message that was looked for, until it is on the screen.
    var sought: MessageID?

    init(
        client: ConversationClient, screen: any Screen, folder: ClientFolder?, conversation: ConversationID?,
        model: String, ability: TerminalAbility
    ) {
        self.client = client
        self.screen = screen
        self.folder = folder
        wanted = conversation
        (events, post) = AsyncStream<Event>.makeStream()
        (jobLine, jobs) = AsyncStream<Job>.makeStream()
        painter = Painter(hasColour: ability.hasColour)
        chatScreen = ChatScreen(hasLinks: ability.hasLinks)
        var options = ModelOptions()
        options.pageSize = 200
        account = AccountModel(client: client, options: options)
        limits = LimitsModel(client: client, options: options)
        list = ConversationListModel(client: client, options: options)
        sitting = Sitting(number: 0, client: client, conversation: nil, model: model)
        view = ChatView(size: screen.size, now: client.client.ids.now(), model: model)
    }

    var now: Timestamp { client.client.ids.now() }

    /// Runs until the person leaves.
    ///
    /// - Parameter interrupts: what asks the program to end from outside.
    func run(interrupts: AsyncStream<Void>) async {
        let (client, screen, post, clock) = (client, screen, post, client.client.clock)
        let (account, limits, list) = (account, limits, list)
        let jobLine = jobLine
        await withDiscardingTaskGroup { group in
            group.addTask { await client.run() }
            group.addTask {
                for await event in screen.events { post.yield(.screen(event)) }
                post.yield(.ended)
            }
            group.addTask { await account.run() }
            group.addTask { await limits.run() }
            group.addTask { await list.run() }
            group.addTask { for await _ in interrupts { post.yield(.ended) } }
            // One after the other: what a person does twice happens twice, and in order.
            group.addTask { for await job in jobLine { await job() } }
            begin()
            await show()
            startWork(&group, clock)
            for await event in events {
                await take(event)
                if isOver { break }
                await show()
                startWork(&group, clock)
            }
            await end()
            group.cancelAll()
        }
    }

    func wait(for alarm: Alarm, _ duration: Duration) { wantedAlarms.append((alarm, duration)) }

    private func startWork(_ group: inout DiscardingTaskGroup, _ clock: any Clock<Duration>) {
        for (alarm, duration) in wantedAlarms {
            lastAlarm += 1
            let number = lastAlarm
            alarms[alarm] = number
            let post = post
            group.addTask {
                guard (try? await clock.sleep(for: duration)) != nil else { return }
                post.yield(.alarm(alarm, number: number))
            }
        }
        wantedAlarms.removeAll()
    }

    private func take(_ event: Event) async {
        switch event {
        case .ended: isOver = true
        case .screen(let event): takeFromScreen(event)
        case .changed(let subject): take(subject)
        case .outcome(let outcome): take(outcome)
        case .alarm(let alarm, let number):
            guard alarms[alarm] == number else { return }
            alarms[alarm] = nil
            ring(alarm)
        }
    }

    private func takeFromScreen(_ event: ScreenEvent) {
        switch event {
        case .bytes(let bytes):
            var inputs: [Input] = []
            for byte in bytes { decoder.feed(byte, into: &inputs) }
            for input in inputs { take(input) }
            alarms[.keys] = nil
            if decoder.isWaiting { wait(for: .keys, Self.keyPatience) }
        case .resized:
            view.size = screen.size
            changed()
        case .resumed:
            painter.forget()
            view.size = screen.size
            changed()
        case .ended: isOver = true
        }
    }

    private func ring(_ alarm: Alarm) {
        switch alarm {
        case .frame: mayDraw = true
        case .clock:
            clockMoment = nil
            changed()
        case .keys:
            var inputs: [Input] = []
            decoder.timeOut(into: &inputs)
            for input in inputs { take(input) }
        }
    }

    private func take(_ input: Input) {
        view.advance(to: now)
        // Words that came back meanwhile are what the key meets.
        readComposer()
        let actions = view.handle(input)
        noteComposer(actions)
        for action in actions { perform(action) }
        if case .search = view.overlay {} else { list.query = "" }
        changed()
    }

    func changed() { isDirty = true }

    func repaint() {
        painter.forget()
        changed()
    }

    func leave() { isOver = true }

    /// Draws a frame, if one is due.
    private func show() async {
        guard isDirty, mayDraw else { return }
        isDirty = false
        view.advance(to: now)
        view.limits = LimitsWords.words(limits.state, now: view.now)
        let output = painter.paint(chatScreen.draw(view))
        if let next = view.nextChange, next != clockMoment {
            clockMoment = next
            // A little later than the moment itself, so that it has come.
            wait(for: .clock, .milliseconds(max(next.milliseconds - now.milliseconds, 0) + 5))
        }
        guard !output.isEmpty else { return }
        mayDraw = false
        wait(for: .frame, Self.frameInterval)
        await write(output)
    }

    func write(_ output: String) async {
        do { try await screen.write(output) } catch { isOver = true }
    }
}
