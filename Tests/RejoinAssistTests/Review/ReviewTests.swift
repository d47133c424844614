import RejoinAssist
import RejoinCore
import Testing

@Suite @MainActor struct ReviewTests {
    private func sorting() throws -> Review<Classify> {
        Review(
            try Samples.proposal(
                Classify.self, BatchDraft([("a", .named("g1")), ("b", .named("g1")), ("d", .named("g1"))]),
                Samples.classify))
    }

    @Test("R48 a review shows what is and what would be, and everything real is selected where little is at stake")
    func shows() throws {
        let review = try sorting()
        #expect(review.changes.map(\.id.name) == ["a", "b", "d"])
        #expect(review.changes[1].before == "Travel" && review.changes[1].after == "Food")
        #expect(review.selection.count == 3)
    }

    @Test("R48 nothing is selected where much is at stake")
    func highRisk() throws {
        let input = Extract<Expense>.Input(text: "…")
        let review = Review(
            try Samples.proposal(Extract<Expense>.self, .init(["merchant": "x", "total": "5 EUR"]), input))
        #expect(review.selection.isEmpty)
        #expect(throws: ReviewError.nothingSelected) { _ = try review.accept() }
        review.selection = [ChangeID("total"), ChangeID("invented")]
        #expect(review.selection == [ChangeID("total")])
        _ = try review.accept()
    }

    @Test("R48 an edit is validated again: what cannot be changes nothing, what can is normalised and selected")
    func edits() throws {
        let input = Extract<Expense>.Input(text: "…", currency: Currency(code: "EUR"))
        let review = Review(try Samples.proposal(Extract<Expense>.self, .init(["merchant": "x"]), input))
        let total = ChangeID("total")
        for wrong in ["-5", "12 XYZ", "many"] {
            let before = review.changes
            #expect(throws: ValidationFailure.impossibleValue) { try review.replace(total, with: wrong) }
            #expect(review.changes == before && review.selection.isEmpty && review.edited.isEmpty)
        }
        try review.replace(total, with: " 12,5 € ")
        #expect(review.changes.first { $0.id == total }?.after == "12.50 EUR")
        #expect(review.selection == [total] && review.edited == [total])
        #expect(throws: ValidationFailure.impossibleValue) { try review.replace(ChangeID("card"), with: "1") }

        let sorting = try sorting()
        #expect(throws: ValidationFailure.impossibleValue) { try sorting.replace(ChangeID("a"), with: "Garden") }
        try sorting.replace(ChangeID("a"), with: "travel")
        #expect(sorting.changes.map(\.after) == ["Travel", "Food", "Food"])
    }

    @Test("R48 only what is selected is accepted, and once accepted it can no longer be changed")
    func accepts() async throws {
        let review = try sorting()
        review.selection.remove(ChangeID("b"))
        let permit = try review.accept()
        #expect(throws: ReviewError.beingCommitted) { _ = try review.accept() }
        #expect(throws: ValidationFailure.self) { try review.replace(ChangeID("a"), with: "Travel") }
        let effect = RecordingEffect()
        let applied = try await permit.apply(effect, ledger: MemoryCommitLedger())
        #expect(applied == ["a=Food", "d=Food"])
        review.committed()
        #expect(throws: ReviewError.closed) { _ = try review.accept() }
    }

    @Test("R33 a rewrite that is the original has nothing to accept")
    func unchanged() throws {
        let review = Review(
            try Samples.proposal(Rewrite.self, .init(Samples.rewrite.text), Samples.rewrite))
        #expect(review.selection.isEmpty)
        #expect(throws: ReviewError.nothingSelected) { _ = try review.accept() }
    }
}
