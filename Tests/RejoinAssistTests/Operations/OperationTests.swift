import RejoinAssist
import RejoinCore
import Testing

@Suite struct OperationTests {
    private func json(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("R35 each operation sends its allowed fields and no other")
    func requests() {
        let long = ItemBrief(id: "x", title: String(repeating: "long ", count: 40), group: "g1")
        #expect(
            json(Classify.request(for: .init(items: [Samples.items[1], long], groups: Samples.groups)))
                == #"{"items":[{"id":"b","title":"Train to Ulm"},{"id":"x","title":"long long long long long long long long long long long long…"}],"groups":[{"id":"g1","title":"Food","examples":["Milk","Cheese","Eggs"]},{"id":"g2","title":"Travel","examples":[]}]}"#
        )
        #expect(
            json(Group.request(for: .init(items: [Samples.items[1]])))
                == #"{"items":[{"id":"b","title":"Train to Ulm"}]}"#)
        #expect(
            json(Rewrite.request(for: Samples.rewrite)) == #"{"text":"hey can u send me the file","tone":"formal"}"#)
        #expect(
            json(Complete.request(for: .init(text: "Bakery", history: [.init("Secret shop", "Food")])))
                == #"{"text":"Bakery","categories":["Food"]}"#)
        #expect(
            json(Extract<Expense>.request(for: .init(text: "Total 5", currency: Currency(code: "EUR"))))
                == #"{"text":"Total 5","schema":"extract.expense"}"#)
        let picture = PictureReference(id: "p", mediaType: "image/png")
        #expect(
            json(Interpret<PictureAlone>.request(for: .init(picture: picture, question: "What?")))
                == #"{"picture":{"id":"p","mediaType":"image/png"},"question":"What?"}"#)
    }

    @Test(
        "R33 a rewrite is trimmed and freed of one layer of quotes that only presents it",
        arguments: [
            ("\n “Please send me the file.” ", "Please send me the file."),
            ("\"Please send me the file.\"", "Please send me the file."),
            ("\"\"Please\"\"", "\"\"Please\"\""), ("\"Yes\" or \"no\"", "\"Yes\" or \"no\""),
            ("```\nPlease send it.\n```", "Please send it."),
        ])
    func quotes(draft: String, expected: String) throws {
        #expect(try Rewrite.pipeline(.init(draft), against: Samples.rewrite).value == expected)
    }

    @Test("R33 quotes that the original has stay")
    func ownQuotes() throws {
        let input = Rewrite.Input(text: "“hey”", tone: .formal)
        #expect(try Rewrite.pipeline("“Hello”", against: input).value == "“Hello”")
    }

    @Test("R33 an empty rewrite is refused, and one that is the original proposes nothing")
    func emptyAndEqual() throws {
        for text in ["", " \n", "\"\""] {
            #expect(throws: ValidationFailure.empty) { try Rewrite.pipeline(.init(text), against: Samples.rewrite) }
        }
        let input = Rewrite.Input(text: " same \n", tone: .plain)
        let validated = try Rewrite.pipeline("same", against: input)
        #expect(validated.value == input.text)
        #expect(Rewrite.changes(in: validated.value, for: input).allSatisfy { !$0.isReal })
    }

    @Test(
        "R33 another language, a refusal in words, a new link and too much text are refused",
        arguments: [
            ("Please, I would like you to send me the report that is on the desk.", ValidationFailure.languageChanged),
            ("Пожалуйста, пришлите мне отчёт.", .languageChanged),
            ("I'm sorry, but I can't assist with that.", .refusedInWords),
            ("Schick mir bitte den Bericht: https://evil.example.com/x", .unsafeLink),
            (String(repeating: "Bericht ", count: 400), .tooLong),
        ])
    func refused(draft: String, failure: ValidationFailure) {
        let input = Rewrite.Input(
            text: "schick mir bitte den Bericht, der auf dem Tisch ist und nicht der alte", tone: .formal)
        #expect(throws: failure) { try Rewrite.pipeline(.init(draft), against: input) }
        // What a person writes themselves is theirs.
        if failure == .unsafeLink || failure == .languageChanged {
            #expect(throws: Never.self) { try Rewrite.pipeline(.init(draft, isByPerson: true), against: input) }
        }
    }

    @Test func `a rule completes from history, and says nothing where history disagrees`() throws {
        let history: [Complete.PastChoice] = [
            .init("Rewe Markt", "Food"), .init("DB Ticket", "Travel"), .init("REWE  markt ", "Food"),
            .init("Rewe Markt", "Household"),
        ]
        #expect(Complete.rule(for: .init(text: "rewe markt", history: history)) == "Food")
        #expect(Complete.rule(for: .init(text: "ticket", history: history)) == "Travel")
        #expect(Complete.rule(for: .init(text: "Cinema", history: history)) == nil)
        #expect(Complete.rule(for: .init(text: "", history: history)) == nil)
        let input = Complete.Input(text: "x", history: history)
        #expect(try Complete.pipeline("food", against: input).value == "Food")
        #expect(throws: ValidationFailure.impossibleValue) { try Complete.pipeline("Leisure", against: input) }
    }

    @Test("R42 a later step never sees what an earlier one refused")
    func order() throws {
        // Each step would throw if it saw what the one before it was to take out.
        let pipeline = ValidationPipeline<Int, [String], [String]>(
            ids: { draft, _, report in
                report.unknownIDs += draft.filter { $0.hasPrefix("?") }.count
                draft = draft.filter { !$0.hasPrefix("?") }
            },
            normalise: { (draft, _, _) throws(ValidationFailure) in
                if draft.contains(where: { $0.hasPrefix("?") }) { throw .undecodable }
                draft = draft.map { $0.lowercased() }
            },
            impossible: { (draft, _, report) throws(ValidationFailure) in
                if draft.contains(where: { $0 != $0.lowercased() }) { throw .empty }
                report.impossible += draft.filter { $0.hasPrefix("-") }.count
                draft = draft.filter { !$0.hasPrefix("-") }
            },
            finish: { (draft, _, _) throws(ValidationFailure) in
                if draft.contains(where: { $0.hasPrefix("-") || $0.hasPrefix("?") }) { throw .tooLong }
                return draft
            })
        let validated = try pipeline(["A", "?B", "-C"], against: 0)
        #expect(validated.value == ["a"])
        #expect(validated.report.unknownIDs == 1 && validated.report.impossible == 1)
    }

    @Test("R42 an expense keeps what can be, leaves out what cannot, and asks for what is missing")
    func expense() throws {
        let text = """
            Here is the JSON: {"merchant": " Café  Ulm ", "date": "2026-02-30", "total": "EUR 12,50", "tax": -1, "category": "Restaurant", "card": "1234"}
            """
        let input = Extract<Expense>.Input(text: "…", currency: Currency(code: "EUR"))
        let validated = try Extract<Expense>.pipeline(Extract<Expense>.draft(from: text, for: input), against: input)
        #expect(
            validated.value.values.mapValues(\.description) == [
                "merchant": "Café Ulm", "total": "12.50 EUR", "category": "restaurant",
            ])
        #expect(validated.report.unknownIDs == 1)
        #expect(validated.report.impossible == 2)
        #expect(throws: ValidationFailure.impossibleValue) {
            try Extract<Expense>.pipeline(.init(["total": "-1"]), against: input)
        }
        #expect(throws: ValidationFailure.empty) {
            try Extract<Expense>.pipeline(.init(["total": "null"]), against: input)
        }
        #expect(try Extract<Expense>.pipeline(.init(["merchant": "x"]), against: input).value.missing == ["total"])
    }

    @Test func `an answer about a picture links only where it looked things up, and only to the web`() throws {
        let input = Interpret<PictureAlone>.Input(picture: .init(id: "p", mediaType: "image/png"), question: "Where?")
        let live = Interpret<WithLiveSources>.Input(picture: input.picture, question: "Where?")
        #expect(try Interpret<PictureAlone>.pipeline(" A bridge. ", against: input).value.text == "A bridge.")
        #expect(throws: ValidationFailure.unsafeLink) {
            try Interpret<PictureAlone>.pipeline("See https://a.com.", against: input)
        }
        let answer = try Interpret<WithLiveSources>.pipeline("See https://a.com/x.", against: live).value
        #expect(answer.links.map(\.text) == ["https://a.com/x"])
        #expect(throws: ValidationFailure.unsafeLink) {
            try Interpret<WithLiveSources>.pipeline("See http://192.168.0.1/", against: live)
        }
        #expect(Interpret<WithLiveSources>.profile.requires.contains(.liveRetrieval))
        #expect(!Interpret<PictureAlone>.profile.requires.contains(.liveRetrieval))
    }

    @Test("R01 every ready operation has its own name and what it sends fits its class of data")
    func profiles() {
        let profiles = [
            Complete.profile, Rewrite.profile, Classify.profile, Group.profile, Extract<Expense>.profile,
            Interpret<PictureAlone>.profile, Interpret<WithLiveSources>.profile,
        ]
        #expect(Set(profiles.map(\.id)).count == profiles.count)
        #expect(profiles.allSatisfy { $0.budget.total > 0 && !$0.requires.isEmpty && $0.dataClass != .none })
        #expect(Extract<Expense>.profile.risk == .high)
    }

    @Test func `the grammar of a classification leaves no words but numbers and titles`() {
        let task = Classify.task(
            for: .init(
                items: Array(Samples.items.prefix(2)),
                groups: [
                    .init(id: "1", title: "Food"), .init(id: "2", title: "food"), .init(id: "3", title: "none"),
                ]))
        let choice = DraftSchema.choice(["Food", "food 2", "none 2", "none"])
        #expect(
            task.schema
                == .object([
                    .init("1", choice, meaning: "Bread"), .init("2", choice, meaning: "Train to Ulm"),
                ]))
    }
}
