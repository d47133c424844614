extension ChatEndpoint {
    /// Asks of the service what can be asked of it, and says of the rest that it is not offered.
    package func carryOut(_ probe: Probe) async -> Finding {
        let book = Notebook()
        let start = ContinuousClock.now
        do {
            switch probe.number {
            case Probe.responseShape.number: try await probeShape(book)
            case Probe.limits.number: try await probeLimits(book)
            default: book.notOffered(Self.absences[probe.number] ?? "chat completions have no call for it")
            }
        } catch {
            book.breakOff("\(error)")
        }
        return book.finding(of: probe, took: start.duration(to: .now))
    }

    /// Why a service of this kind cannot do what a probe asks for.
    private static let absences: [String: String] = [
        Probe.stop.number: "closing the connection is the only stop, and nothing keeps the part that was written",
        Probe.leave.number: "an answer lives as long as its connection, and cannot be asked for again",
        Probe.networkDrop.number: "a broken answer cannot be gone on with; asking again is another answer",
        Probe.airplane.number: "there is no client",
        Probe.secondDevice.number: "there are no conversations, and so no list of them",
        Probe.regenerate.number: "asking again gives another answer; neither is kept",
        Probe.twoDevices.number: "there are no conversations that two devices could open",
        Probe.cachedReads.number: "there is no client",
        Probe.signOut.number: "there are no sessions",
    ]

    private func probeShape(_ book: Notebook) async throws {
        let reply = try await ask("Count from one to forty in words, one number a line, and say nothing else.")
        guard
            book.check(
                reply.status == 200, "the service answered",
                otherwise: "the service answered with status \(reply.status)")
        else { return }
        book.time("to the first piece", reply.first)
        book.time("from the first piece to the end", reply.rest)
        book.time("the longest pause", reply.longestPause)
        let seconds = reply.rest / Duration.seconds(1)
        let rate = seconds > 0 ? Int(Double(reply.text.count) / seconds) : 0
        book.note("\(reply.pieces) pieces, \(reply.text.count) characters, \(rate) characters a second")
        book.check(
            reply.isWhole && !reply.text.isEmpty, "the answer came to its end",
            otherwise: "the answer broke off after \(reply.text.count) characters")
        book.check(
            reply.pieces >= 5 && reply.first < (reply.first + reply.rest) / 2, "it grew piece by piece",
            otherwise: "it came in \(reply.pieces) pieces, the first after \(reply.first.inSeconds), "
                + "the last after \((reply.first + reply.rest).inSeconds)")
        book.doubt("one answer was measured, over the link as it is")
    }

    private func probeLimits(_ book: Notebook) async throws {
        let reply = try await ask("Say yes.")
        guard
            book.check(
                [200, 429].contains(reply.status), "the service answered",
                otherwise: "the service answered with status \(reply.status)")
        else { return }
        for field in reply.limits { book.note("\(field.name): \(field.value)") }
        guard !reply.limits.isEmpty else {
            return book.notOffered("the reply says nothing about limits")
        }
        let names = reply.limits.map(\.name)
        book.check(
            names.contains { $0.contains("remaining") || $0 == "ratelimit" || $0 == "retry-after" }
                && names.contains { $0.contains("reset") || $0 == "ratelimit" || $0 == "retry-after" },
            "the reply tells what is left and when it is more again",
            otherwise: "the reply speaks of limits, and not of what is left and when it is more again")
        book.doubt("one reply was read; no limit was run into")
    }
}
