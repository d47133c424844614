import RejoinClient
import RejoinCore

/// A chat on a whole screen: it gathers what happens, keeps one view of it, and draws that when it has changed.
///
/// At most one frame is drawn per thirtieth of a second while something changes, and none while nothing does.
final class ChatProgram {
    /// Everything that can happen, in one line.
    enum Event: Sendable {
        case screen(ScreenEvent)
        case update(ClientUpdate)
        case outcome(Outcome)
        /// A moment that was waited for.
        case alarm(Alarm, number: Int)
        case ended
    }

    /// What is waited for; a newer wait of a kind takes the place of the older.
    enum Alarm: Hashable, Sendable { case frame, keys, clock, draft }

    /// What came of something that was asked for.
    enum Outcome: Sendable {
        case refused(String)
        case submitted(ConversationID, in: ConversationID?)
        case notSubmitted(String)
        case tree(ConversationID, StoredTree?)
        case opened(ConversationID?, StoredTree?, Draft?)
        case list([StoredConversation])
        case limits(LimitsSnapshot?)
        case draft(ConversationID?, Draft?)
        case found(String, [SearchHit])
        case notOpened(ConversationID, String, isGone: Bool)
        case done(String)
    }

    static let frameInterval = Duration.milliseconds(33)
    /// How long a sequence of a key may take to arrive; over slow lines it comes in pieces.
    static let keyPatience = Duration.milliseconds(60)
    static let draftInterval = Duration.milliseconds(300)

    let client: ConversationClient
    let screen: any Screen
    let folder: ClientFolder?
    let wanted: ConversationID?
    let post: AsyncStream<Event>.Continuation
    private let events: AsyncStream<Event>
    let jobs: AsyncStream<Job>.Continuation
    private let jobLine: AsyncStream<Job>

    typealias Job = @Sendable () async -> Void

    var view: ChatView
    var chatScreen = ChatScreen()
    private var painter: Painter
    private var decoder = KeyDecoder()
    private var alarms: [Alarm: Int] = [:]
    private var lastAlarm = 0
    private var wantedAlarms: [(Alarm, Duration)] = []
    /// What takes as long as the network does, and must hold up nothing else.
    private var errands: [Job] = []
    /// The moment for which the clock's alarm is set.
    private var clockMoment: Timestamp?
    private var isDirty = true
    private var mayDraw = true
    private var isOver = false

    /// How many lines of the list are wanted.
    var listLimit = 200
    var limits: LimitsSnapshot?
    /// Whether what is typed is newer than what is kept.
    var isDraftNewer = false
    /// What is to be brought onto the screen once it is there.
    var revealsSoon = false
    /// The message that was looked for, until its conversation is here.
    var sought: MessageID?
    /// What was opened last: a late one does not take the place of a later one.
    var opening: (conversation: ConversationID?, isUnderWay: Bool) = (nil, false)

    init(
        client: ConversationClient, screen: any Screen, folder: ClientFolder?, conversation: ConversationID?,
        model: String, hasColour: Bool
    ) {
        self.client = client
        self.screen = screen
        self.folder = folder
        wanted = conversation
        (events, post) = AsyncStream<Event>.makeStream()
        (jobLine, jobs) = AsyncStream<Job>.makeStream()
        painter = Painter(hasColour: hasColour)
        view = ChatView(size: screen.size, now: client.client.ids.now(), model: model)
    }

    var now: Timestamp { client.client.ids.now() }

    /// Runs until the person leaves.
    ///
    /// - Parameter interrupts: what asks the program to end from outside.
    func run(interrupts: AsyncStream<Void>) async {
        let (client, screen, post, clock) = (client, screen, post, client.client.clock)
        let updates = client.updates()
        let jobLine = jobLine
        await withDiscardingTaskGroup { group in
            group.addTask { await client.run() }
            group.addTask {
                for await event in screen.events { post.yield(.screen(event)) }
                post.yield(.ended)
            }
            group.addTask { for await update in updates { post.yield(.update(update)) } }
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

    /// Runs something beside everything else, until the program ends.
    func run(_ errand: @escaping Job) { errands.append(errand) }

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
        for errand in errands { group.addTask { await errand() } }
        errands.removeAll()
    }

    private func take(_ event: Event) async {
        switch event {
        case .ended: isOver = true
        case .screen(let event): takeFromScreen(event)
        case .update(let update): take(update)
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
        case .draft: keepDraft()
        case .keys:
            var inputs: [Input] = []
            decoder.timeOut(into: &inputs)
            for input in inputs { take(input) }
        }
    }

    private func take(_ input: Input) {
        view.advance(to: now)
        for action in view.handle(input) { perform(action) }
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
        view.limits = limits.flatMap {
            LimitsWords.words($0, isOnline: view.connection == .online, now: view.now)
        }
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
