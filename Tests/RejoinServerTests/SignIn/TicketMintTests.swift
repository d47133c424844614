import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite struct TicketMintTests {
    @Test("S25 a challenge is good once, for five minutes, and for what it was given out for")
    func challenges() {
        let clock = ManualClock()
        let mint = TicketMint(lifetime: .seconds(300), surroundings: clock.surroundings)
        let ticket = mint.make("one", for: [1])
        #expect(!mint.useUp(ticket, "two", for: [1]))
        #expect(!mint.useUp(ticket, "one", for: [2]))
        #expect(!mint.useUp(ticket, "one"))
        #expect(mint.useUp(ticket, "one", for: [1]))
        #expect(!mint.useUp(ticket, "one", for: [1]))
        #expect(mint.isGood(ticket, "one", for: [1]))

        let late = mint.make("one")
        clock.advance(by: .seconds(299.9))
        #expect(mint.isGood(late, "one"))
        clock.advance(by: .seconds(0.1))
        #expect(!mint.isGood(late, "one") && !mint.useUp(late, "one"))
        #expect(!mint.isGood(ticket, "one", for: [1]))
    }

    @Test("S25 nobody else can make a challenge, nor change one")
    func forging() {
        let clock = ManualClock()
        let mint = TicketMint(lifetime: .seconds(300), surroundings: clock.surroundings)
        let other = TicketMint(lifetime: .seconds(300), surroundings: clock.surroundings)
        let ticket = mint.make("one")
        #expect(!other.isGood(ticket, "one"))
        for index in ticket.indices {
            var changed = ticket
            changed[index] ^= 0x40
            #expect(!mint.isGood(changed, "one"), "byte \(index)")
        }
        for length in 0..<ticket.count { #expect(!mint.isGood(Array(ticket.prefix(length)), "one")) }
        #expect(!mint.isGood(ticket + [0], "one") && !mint.isGood([], "one"))
        #expect(mint.secret("state", of: ticket) != mint.secret("nonce", of: ticket))
        #expect(mint.secret("state", of: ticket) != other.secret("state", of: ticket))
    }

    @Test("S25 used challenges are forgotten when they are too old to come again, and never before")
    func forgetting() {
        let clock = ManualClock()
        let mint = TicketMint(lifetime: .seconds(300), surroundings: clock.surroundings)
        let first = mint.make("one")
        #expect(mint.useUp(first, "one"))
        for _ in 0..<3000 { #expect(mint.useUp(mint.make("one"), "one")) }
        #expect(!mint.useUp(first, "one"))
        clock.advance(by: .seconds(301))
        for _ in 0..<3000 { #expect(mint.useUp(mint.make("one"), "one")) }
        #expect(mint.remembered <= 3001)
        #expect(!mint.useUp(first, "one"))
    }
}
