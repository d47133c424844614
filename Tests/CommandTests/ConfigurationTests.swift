import Foundation
import Testing

@testable import RejoinServer

@Suite struct ConfigurationTests {
    private func read(
        _ text: String?, _ environment: [String: String] = [:], _ flags: ConfigurationFlags = ConfigurationFlags(),
        path: String = "rejoin.json5"
    ) throws -> Configuration {
        let environment = environment.merging(["HOME": "/home/ada"]) { given, _ in given }
        let file = text.map { ConfigurationFile(path: path, bytes: Array($0.utf8)) }
        return try Configuration.read(file, environment: environment, flags: flags)
    }

    private static let twoModels = """
        models: [
            { name: "small", kind: "llama", path: "small.gguf" },
            { name: "large", kind: "openai", base_url: "http://127.0.0.1:9/v1/", model: "large-2" },
        ],
        """

    @Test func `needs no file`() throws {
        let configuration = try read(nil)
        #expect(configuration == Configuration(dataFolder: "/home/ada/.local/share/rejoinder"))
        #expect(configuration.listen.description == "127.0.0.1:8787")
        #expect(configuration.registration == .closed)
        #expect(configuration.durability == .normal)
        #expect(configuration.logLevel == .info)
        #expect(configuration.models.isEmpty)
        #expect(configuration.defaultModel == nil)
        #expect(configuration.titleModel == nil)
    }

    @Test func `takes every default from an empty file`() throws {
        #expect(try read("{}") == read(nil))
    }

    @Test func `reads models of both kinds`() throws {
        let configuration = try read(
            """
            { models: [
                { kind: "llama", name: "small", path: "m/small.gguf", context: 0x800, sequences: 3, threads: 1 },
                { name: "large", kind: "openai", base_url: "https://models.example/v1/", model: "large-2",
                  api_key_env: "MODELS_KEY", context: 100000, concurrent: 4 },
            ] }
            """, ["MODELS_KEY": " key-1\n"], path: "/etc/rejoinder/rejoin.json5")
        var small = Configuration.Llama(path: "/etc/rejoinder/m/small.gguf")
        small.context = 2048
        small.sequences = 3
        small.threads = 1
        var large = Configuration.OpenAI(
            baseURL: "https://models.example/v1", model: "large-2", apiKey: ProviderKey(Secret("key-1")))
        large.context = 100_000
        large.concurrent = 4
        #expect(
            configuration.models == [
                Configuration.Model(name: "small", kind: .llama(small)),
                Configuration.Model(name: "large", kind: .openAI(large)),
            ])
    }

    @Test func `lets the first model answer and write titles unless others are named`() throws {
        let first = try read("{\(Self.twoModels)}")
        #expect(first.defaultModel == "small")
        #expect(first.titleModel == "small")
        let named = try read("{ default_model: 'large', \(Self.twoModels) }")
        #expect(named.defaultModel == "large")
        #expect(named.titleModel == "large")
        let apart = try read("{ titles: 'small', default_model: 'large', \(Self.twoModels) }")
        #expect(apart.titleModel == "small")
        #expect(try read("{ titles: 'off', \(Self.twoModels) }").titleModel == nil)
    }

    @Test func `lets the model that answered propose what to remember unless another is named`() throws {
        #expect(try read("{\(Self.twoModels)}").memoryModel == .answering)
        #expect(try read("{ memory: 'large', \(Self.twoModels) }").memoryModel == .model("large"))
        #expect(try read("{ memory: 'off', \(Self.twoModels) }").memoryModel == .off)
    }

    @Test func `reads limits in their units`() throws {
        let limits = try read(
            "{ limits: { body_bytes: 4096, drain_seconds: .5, log_retention_hours: 1.5, feed_retention_days: 2 } }"
        ).limits
        #expect(limits.bodyBytes == 4096)
        #expect(limits.drain == .milliseconds(500))
        #expect(limits.logRetention == .seconds(5400))
        #expect(limits.feedRetention == .seconds(172_800))
        #expect(limits.queueLength == Configuration.Limits().queueLength)
    }

    @Test func `every limit can be written, and its default is within its bounds`() throws {
        let keys = ConfigurationKey<Configuration.Limits>.limits
        let members = keys.map { "\($0.name): \($0.standard ?? "")" }.joined(separator: ", ")
        #expect(try read("{ limits: { \(members) } }").limits == Configuration.Limits())
        let fields = Mirror(reflecting: Configuration.Limits()).children.count
        #expect(keys.count == fields)
    }

    @Test func `every limit sets a field of its own`() throws {
        var seen: Set<String> = []
        for key in ConfigurationKey<Configuration.Limits>.limits {
            let half = try #require(Double(key.standard ?? "")) / 2
            let limits = try read("{ limits: { \(key.name): \(half) } }").limits
            let changed = zip(
                Mirror(reflecting: limits).children, Mirror(reflecting: Configuration.Limits()).children
            ).filter { "\($0.value)" != "\($1.value)" }.map { $0.0.label ?? "" }
            #expect(changed.count == 1, "\(key.name)")
            #expect(seen.insert(changed[0]).inserted, "\(key.name)")
        }
    }

    // MARK: Precedence

    @Test func `a variable wins over the file, and an option over both`() throws {
        let file = "{ listen: 'file:1', data: '/file', durability: 'normal', log_level: 'debug' }"
        let variables = ["REJOIN_LISTEN": "variable:2", "REJOIN_DATA": "/variable", "REJOIN_DURABILITY": "full"]
        let flags = ConfigurationFlags(listen: "[::1]:0")
        let all = try read(file, variables, flags)
        #expect(all.listen == Configuration.Address(host: "::1", port: 0))
        #expect(all.listen.description == "[::1]:0")
        #expect(all.dataFolder == "/variable")
        #expect(all.durability == .full)
        #expect(all.logLevel == .debug)
        #expect(try read(file, variables).listen == Configuration.Address(host: "variable", port: 2))
        #expect(try read(file).listen == Configuration.Address(host: "file", port: 1))
    }

    @Test func `every option has its key`() throws {
        let flags = ConfigurationFlags(data: "d", listen: "h:1", durability: "full", logLevel: "error")
        let configuration = try read(nil, [:], flags)
        #expect(configuration.dataFolder == "d")
        #expect(configuration.listen == Configuration.Address(host: "h", port: 1))
        #expect(configuration.durability == .full)
        #expect(configuration.logLevel == .error)
    }

    @Test func `variables set models' names and every limit`() throws {
        let configuration = try read(
            "{ default_model: 'small', titles: 'small', \(Self.twoModels) limits: { queue_length: 5 } }",
            [
                "REJOIN_DEFAULT_MODEL": "large", "REJOIN_TITLES": "off", "REJOIN_REGISTRATION": "closed",
                "REJOIN_LOG_LEVEL": "warning", "REJOIN_LIMITS_QUEUE_LENGTH": "7", "REJOIN_LIMITS_DRAIN_SECONDS": "1.5",
            ])
        #expect(configuration.defaultModel == "large")
        #expect(configuration.titleModel == nil)
        #expect(configuration.logLevel == .warning)
        #expect(configuration.limits.queueLength == 7)
        #expect(configuration.limits.drain == .milliseconds(1500))
    }

    @Test func `a variable set to nothing counts as not set, and others' are left alone`() throws {
        let variables = [
            "REJOIN_LISTEN": "", "REJOIN_SERVER": "http://h", "REJOIN_TOKEN_FILE": "t", "REJOIN_ZZZZZZ": "x",
        ]
        #expect(try read("{ listen: 'file:1' }", variables).listen.host == "file")
    }

    // MARK: Paths

    @Test func `keeps data where XDG says, unless that is relative`() throws {
        #expect(try read(nil, ["XDG_DATA_HOME": "/xdg"]).dataFolder == "/xdg/rejoinder")
        #expect(try read(nil, ["XDG_DATA_HOME": "xdg"]).dataFolder == "/home/ada/.local/share/rejoinder")
    }

    @Test func `starts relative paths at the file, and those of options at the working folder`() throws {
        #expect(try read("{ data: 'd' }", path: "conf/rejoin.json5").dataFolder == "conf/d")
        #expect(try read("{ data: 'd' }", path: "rejoin.json5").dataFolder == "d")
        #expect(try read("{ data: 'd' }", path: "/rejoin.json5").dataFolder == "/d")
        #expect(try read("{ data: '/d' }", path: "conf/rejoin.json5").dataFolder == "/d")
        #expect(try read("{ data: '~/d' }", path: "conf/rejoin.json5").dataFolder == "/home/ada/d")
        #expect(try read("{}", [:], ConfigurationFlags(data: "d"), path: "conf/rejoin.json5").dataFolder == "d")
    }

    // MARK: Files

    @Test func `loads the file that is named, or the one that a variable names`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rejoin-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "rejoin.json5")
        try "key-from-file\n".write(to: folder.appending(path: "key"), atomically: true, encoding: .utf8)
        try """
        { data: 'd', models: [
            { name: 'a', kind: 'openai', base_url: 'http://h/v1', model: 'm', api_key_file: 'key' },
        ] }
        """.write(to: file, atomically: true, encoding: .utf8)
        let named = try Configuration.load(file: file.path(), environment: [:], flags: ConfigurationFlags())
        #expect(named.dataFolder == folder.path() + "/d")
        let byVariable = try Configuration.load(
            file: nil, environment: ["REJOIN_CONFIG": file.path()], flags: ConfigurationFlags())
        #expect(byVariable == named)
        guard case .openAI(let model) = named.models[0].kind else {
            Issue.record("not the model")
            return
        }
        #expect(model.apiKey?.revealed == "key-from-file")
        try "key-2".write(to: folder.appending(path: "key"), atomically: true, encoding: .utf8)
        #expect(model.apiKey?.revealed == "key-2")
        try FileManager.default.removeItem(at: folder.appending(path: "key"))
        #expect(model.apiKey?.revealed == "key-from-file")
    }

    // MARK: Secrets

    @Test func `shows a key to nobody`() throws {
        let secret = Secret("key-1")
        #expect("\(secret)" == "<redacted>")
        #expect(String(reflecting: secret) == "<redacted>")
        let configuration = try read(
            "{ models: [{ name: 'a', kind: 'openai', base_url: 'http://h', model: 'm', api_key_env: 'K' }] }",
            ["K": "key-1"])
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("key-1"))
            #expect(text.contains("<redacted>") || text == dumped)
        }
    }
}
