package import RejoinCore

/// `rejoin probe`: carries out the probes and says what came of them.
package struct ProbeCommand: Sendable {
    /// What is probed.
    package enum Subject: Sendable {
        /// A server of this program's own.
        case own(program: String)
        /// A server that speaks our wire.
        case target(Stage.Target)
        case endpoint(ChatEndpoint)

        var words: String {
            switch self {
            case .own: "a server of its own, with a scripted model"
            case .target(let target): target.address
            case .endpoint(let endpoint): "\(endpoint.address), model \(endpoint.model)"
            }
        }
    }

    package var subject: Subject
    package var probes: [Probe]
    /// The width of the terminal.
    package var columns: Int
    /// Whether the terminal shows no colours.
    package var isPlain: Bool
    /// Writes one line for the person.
    package var say: @Sendable (String) -> Void

    /// Puts the command together.
    package init(
        subject: Subject, probes: [Probe] = Probe.all, columns: Int = 80, isPlain: Bool = true,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.subject = subject
        self.probes = probes
        self.columns = columns
        self.isPlain = isPlain
        self.say = say
    }

    /// The probes that a list of numbers names: `P50.1,P29.6`.
    ///
    /// - Returns: nil if it names one that there is not.
    package static func probes(named list: String) -> [Probe]? {
        let numbers = list.split(separator: ",").map { $0.filter { !$0.isWhitespace }.uppercased() }
        let found = numbers.compactMap { number in Probe.all.first { $0.number == number } }
        return found.count == numbers.count && !found.isEmpty ? found : nil
    }

    /// Carries out the probes one after the other.
    ///
    /// - Throws: an error that says why none could be carried out.
    package func run(now: Timestamp) async throws -> Worksheet {
        say("Probing \(subject.words)")
        say(Worksheet.heading)
        var findings: [Finding] = []
        switch subject {
        case .endpoint(let endpoint):
            for probe in probes where !Task.isCancelled { findings.append(tell(await endpoint.carryOut(probe))) }
        case .own(let program):
            let stage = try await Stage.ownServer(program: program)
            for probe in probes where !Task.isCancelled { findings.append(tell(await probe.carryOut(on: stage))) }
            await stage.close()
        case .target(let target):
            try await target.greet()
            let stage = try Stage.around(target)
            for probe in probes where !Task.isCancelled { findings.append(tell(await probe.carryOut(on: stage))) }
            await stage.close()
        }
        let worksheet = Worksheet(subject: subject.words, madeAt: now, findings: findings)
        say("")
        say(worksheet.summary)
        return worksheet
    }

    private func tell(_ finding: Finding) -> Finding {
        for line in Worksheet.lines(of: finding, columns: columns, isPlain: isPlain) { say(line) }
        return finding
    }
}
