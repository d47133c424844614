import Testing

@testable import RejoinServer

@Suite struct PlanConfigurationTests {
    private static let models = """
        models: [{ name: 'small', kind: 'llama', path: 's.gguf' }, { name: 'large', kind: 'llama', path: 'l.gguf' }],
        """

    private func read(_ text: String, _ environment: [String: String] = [:]) throws(ConfigurationError) -> Configuration
    {
        var environment = environment
        environment["HOME"] = "/home/ada"
        return try Configuration.read(
            ConfigurationFile(path: "rejoin.json5", bytes: Array(text.utf8)), environment: environment,
            flags: ConfigurationFlags())
    }

    @Test("S21 without plans nothing is limited") func unlimited() throws {
        #expect(try read("{}").plans == .unlimited)
        #expect(try read("{ plans: [{ name: 'family' }] }").plans.isUnlimited)
    }

    @Test("S21 a plan names its quotas, their windows, and what answers at the limit of the stronger models")
    func plans() throws {
        let book = try read(
            """
            { \(Self.models) default_plan: 'guest', plans: [
                { name: 'guest', strong_models: ['large'], fallback_model: 'small', at_limit: 'fallback', quotas: [
                    { counts: 'turns', amount: 20, resets_at: '04:30' },
                    { counts: 'tokens', amount: 200000, hours: 168 },
                    { counts: 'strong-turns', amount: 0, hours: 5 } ] },
                { name: 'family' } ] }
            """
        ).plans
        #expect(book.standard == "guest")
        #expect(
            book.plans == [
                Plan(
                    "guest",
                    quotas: [
                        Quota(.turns, amount: 20, hours: 24, startMinute: 270),
                        Quota(.tokens, amount: 200_000, hours: 168),
                        Quota(.strongTurns, amount: 0, hours: 5),
                    ], strongModels: ["large"], fallbackModel: "small", fallsBack: true), Plan("family"),
            ])
        #expect(book.plan(named: nil)?.name == "guest")
        #expect(book.plan(named: "family")?.name == "family")
    }

    @Test(
        "S21 a plan that is not understood is refused at the start, with its place",
        arguments: [
            ("plans: {}", "\"plans\" must be a list of plans"), ("plans: [{}]", "\"plans[0].name\" is missing"),
            ("plans: [{ name: 'none' }]", "\"none\" has a meaning of its own"),
            ("plans: [{ name: 'a' }, { name: 'a' }]", "two plans are called \"a\""),
            ("plans: [{ name: 'a', qoutas: [] }]", "unknown key \"qoutas\""),
            ("plans: [{ name: 'a', quotas: [{ amount: 1 }] }]", "\"plans[0].quotas[0].counts\" is missing"),
            ("plans: [{ name: 'a', quotas: [{ counts: 'turns' }] }]", "amount\" is missing"),
            ("plans: [{ name: 'a', quotas: [{ counts: 'turn', amount: 1 }] }]", "must be \"turns\", \"tokens\""),
            (
                "plans: [{ name: 'a', quotas: [{ counts: 'turns', amount: 1 }, { counts: 'turns', amount: 2 }] }]",
                "counted twice"
            ),
            (
                "plans: [{ name: 'a', quotas: [{ counts: 'turns', amount: 1, resets_at: '24:00' }] }]",
                "a time of the day"
            ),
            ("plans: [{ name: 'a', strong_models: ['huge'] }]", "must be a list of names of models"),
            ("plans: [{ name: 'a', fallback_model: 'huge' }]", "must be \"small\" or \"large\""),
            (
                "plans: [{ name: 'a', strong_models: ['small'], fallback_model: 'small' }]",
                "is one of the strong models itself"
            ), ("default_plan: 'b', plans: [{ name: 'a' }]", "must be \"a\""), ("default_plan: 'b'", "there are none"),
            ("off: ['answer']", "must be a list of \"answers\""), ("off_models: ['huge']", "must be a list of names"),
        ])
    func refusals(text: String, words: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read("{ \(Self.models) \(text) }") }
        #expect(error.map { "\($0)" }?.contains(words) == true, "\(String(describing: error))")
    }

    @Test("S40 what is off is a list in the file, or words between commas in a variable") func switches() throws {
        let file = try read("{ \(Self.models) off: ['titles'], off_models: ['large'] }").off
        #expect(file == KillSwitches.Off(parts: [.titles], models: ["large"]))
        let variables = ["REJOIN_OFF": "answers, openai", "REJOIN_OFF_MODELS": "small"]
        let off = try read("{ \(Self.models) off: ['titles'] }", variables).off
        #expect(off == KillSwitches.Off(parts: [.answers, .openai], models: ["small"]))
    }
}
