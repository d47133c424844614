import Foundation
import Testing

@testable import RejoinServer

@Suite struct ConfigurationRefusalTests {
    private func refusal(
        _ text: String?, _ environment: [String: String] = [:], _ flags: ConfigurationFlags = ConfigurationFlags()
    ) -> String? {
        let environment = environment.merging(["HOME": "/home/ada"]) { given, _ in given }
        let file = text.map { ConfigurationFile(path: "/etc/rejoin.json5", bytes: Array($0.utf8)) }
        do throws(ConfigurationError) {
            _ = try Configuration.read(file, environment: environment, flags: flags)
            return nil
        } catch {
            return error.description
        }
    }

    // MARK: Keys

    @Test(arguments: [
        ("{\n  // a\n  defualt_model: 'x'\n}", "3:3: unknown key \"defualt_model\"; did you mean \"default_model\"?"),
        ("{ lsten: 1 }", "1:3: unknown key \"lsten\"; did you mean \"listen\"?"),
        ("{ Listen: 1 }", "1:3: unknown key \"Listen\"; did you mean \"listen\"?"),
        ("{ model: [] }", "1:3: unknown key \"model\"; did you mean \"models\"?"),
        (
            "{ colour: 1 }",
            "1:3: unknown key \"colour\"; known here: listen, data, default_model, titles, memory, registration, "
                + "trusted_proxies, durability, log_level, default_plan, off, off_models, public_url, models, plans, "
                + "limits, oidc"
        ),
        ("{ limits: { body_byte: 1 } }", "1:13: unknown key \"body_byte\"; did you mean \"body_bytes\"?"),
        ("{ limits: { drain: 1 } }", "1:13: unknown key \"drain\"; known here: "),
        (
            "{ models: [{ kind: 'llama', name: 'a', pth: 'x' }] }",
            "1:40: unknown key \"pth\"; did you mean \"path\"?"
        ),
        (
            "{ models: [{ kind: 'openai', name: 'a', treads: 1 }] }",
            "1:41: unknown key \"treads\"; known here: name, base_url, model, api_key_env, api_key_file, context, "
                + "concurrent, kind"
        ),
        ("{ a: 1, a: 2 }", "1:9: \"a\" is written twice, first in line 1"),
    ])
    func `refuses an unknown key with its place and the nearest name`(text: String, words: String) throws {
        let said = try #require(refusal(text))
        #expect(said.hasPrefix("rejoin.json5:" + words), "\(said)")
        if !words.hasSuffix(": ") { #expect(said == "rejoin.json5:" + words) }
    }

    // MARK: Values

    @Test(arguments: [
        ("[]", "1:1: \"the configuration\" must be an object in braces, not a list"),
        ("{ listen: 8787 }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not 8787"),
        ("{ listen: '' }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not \"\""),
        ("{ listen: ':80' }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not \":80\""),
        ("{ listen: 'h' }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not \"h\""),
        ("{ listen: 'h:70000' }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not \"h:70000\""),
        ("{ listen: 'h h:1' }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not \"h h:1\""),
        ("{ listen: '[h]:1' }", "1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not \"[h]:1\""),
        (
            "{ listen: '::1:80' }",
            "1:11: \"listen\" must be HOST:PORT with an IPv6 address in brackets, such as \"[::1]:8787\", not \"::1:80\""
        ),
        ("{ data: null }", "1:9: \"data\" must be the path of a folder, not null"),
        ("{ data: 'a\\0b' }", "1:9: \"data\" must be the path of a folder, not \"a\0b\""),
        (
            "{ registration: 'opne' }",
            "1:17: \"registration\" must be \"closed\", \"invite\" or \"open\", not \"opne\"; did you mean \"open\"?"
        ),
        (
            "{ trusted_proxies: ['10.0.0.0/40'] }",
            "1:20: \"trusted_proxies\" must be a list of addresses or ranges, such as [\"127.0.0.1\", \"10.0.0.0/8\"], "
                + "not a list"
        ),
        (
            "{ durability: 'ful' }",
            "1:15: \"durability\" must be \"normal\" or \"full\", not \"ful\"; did you mean \"full\"?"
        ),
        ("{ durability: true }", "1:15: \"durability\" must be \"normal\" or \"full\", not true"),
        (
            "{ log_level: 'warn' }",
            "1:14: \"log_level\" must be \"debug\", \"info\", \"warning\" or \"error\", not \"warn\""
        ),
        ("{ default_model: 'x' }", "1:18: \"default_model\" must be the name of a model (there are none), not \"x\""),
        ("{ titles: 'of' }", "1:11: \"titles\" must be \"off\", not \"of\"; did you mean \"off\"?"),
        ("{ titles: {} }", "1:11: \"titles\" must be \"off\", not an object"),
        (
            "{ default_model: 'smal', models: [{ name: 'small', kind: 'llama', path: 'p' }] }",
            "1:18: \"default_model\" must be \"small\", not \"smal\"; did you mean \"small\"?"
        ),
        ("{ limits: 5 }", "1:11: \"limits\" must be an object in braces, not 5"),
        (
            "{ limits: { body_bytes: 'big' } }",
            "1:25: \"limits.body_bytes\" must be a whole number of bytes from 1024 to 67108864, not \"big\""
        ),
        (
            "{ limits: { body_bytes: 1023 } }",
            "1:25: \"limits.body_bytes\" must be a whole number of bytes from 1024 to 67108864, not 1023"
        ),
        (
            "{ limits: { queue_length: 1.5 } }",
            "1:27: \"limits.queue_length\" must be a whole number of answers from 0 to 100000, not 1.5"
        ),
        (
            "{ limits: { drain_seconds: -1 } }",
            "1:28: \"limits.drain_seconds\" must be a number of seconds from 0 to 3600, not -1"
        ),
        (
            "{ limits: { head_timeout_seconds: 0 } }",
            "1:35: \"limits.head_timeout_seconds\" must be a number of seconds from 0.1 to 600, not 0"
        ),
        ("{ limits: { drain_seconds: Infinity } }", "1:28: Infinity is not a value here"),
        (
            "{ limits: { drain_seconds: '5' } }",
            "1:28: \"limits.drain_seconds\" must be a number of seconds from 0 to 3600, not \"5\""
        ),
    ])
    func `refuses a wrong value with its place and what was expected`(text: String, words: String) {
        #expect(refusal(text) == "rejoin.json5:" + words)
    }

    @Test func `shows no more than the beginning of a long value`() {
        let long = String(repeating: "x", count: 1000)
        #expect(
            refusal("{ durability: '\(long)' }")
                == "rejoin.json5:1:15: \"durability\" must be \"normal\" or \"full\", not \"\(long.prefix(60))…\"")
    }

    // MARK: Models

    private func model(_ members: String) -> String? { refusal("{ models: [{ \(members) }] }") }

    @Test func `refuses models that are not whole`() {
        #expect(refusal("{ models: {} }") == "rejoin.json5:1:11: \"models\" must be a list of models, not an object")
        #expect(
            refusal("{ models: ['a'] }") == "rejoin.json5:1:12: \"models[0]\" must be an object in braces, not \"a\"")
        #expect(model("name: 'a'") == "rejoin.json5:1:12: \"models[0].kind\" is missing: \"llama\" or \"openai\"")
        #expect(
            model("name: 'a', kind: 'lama'")
                == "rejoin.json5:1:31: \"models[0].kind\" must be \"llama\" or \"openai\", not \"lama\"; did you mean \"llama\"?"
        )
        #expect(
            model("name: 'a', kind: 'llama'")
                == "rejoin.json5:1:12: \"models[0].path\" is missing: the path of a GGUF file")
        #expect(
            model("kind: 'openai', base_url: 'http://h', model: 'm'")
                == "rejoin.json5:1:12: \"models[0].name\" is missing: 1 to 64 letters, digits and . _ - : / that no other "
                + "model has")
        #expect(
            refusal(
                "{ models: [\n{ name: 'a', kind: 'llama', path: 'p' },\n{ name: 'a', kind: 'llama', path: 'q' }] }")
                == "rejoin.json5:3:1: two models are called \"a\"")
    }

    @Test(arguments: ["a b", "ä", "", "a\\n", String(repeating: "a", count: 65)])
    func `refuses names that would not pass through a request`(name: String) throws {
        let said = try #require(model("kind: 'llama', path: 'p', name: '\(name)'"))
        #expect(said.hasPrefix("rejoin.json5:1:46: \"models[0].name\" must be 1 to 64 letters, digits and . _ - : /"))
    }

    @Test(arguments: ["auto", "off"])
    func `refuses names with a meaning of their own`(name: String) {
        #expect(
            model("kind: 'llama', path: 'p', name: '\(name)'")
                == "rejoin.json5:1:46: \"\(name)\" has a meaning of its own and cannot name a model")
    }

    @Test(arguments: ["ftp://h", "h/v1", "http://", "http://:80", "http://h/v1?a=b", "http://h/#f", "http://h h", ""])
    func `refuses addresses that are none`(address: String) {
        #expect(
            model("kind: 'openai', name: 'a', model: 'm', base_url: '\(address)'")
                == "rejoin.json5:1:63: \"models[0].base_url\" must be an http or https address, such as "
                + "\"http://127.0.0.1:8000/v1\", not \"\(address)\"")
    }

    @Test func `refuses numbers of a model out of bounds`() {
        #expect(
            model("kind: 'llama', name: 'a', path: 'p', sequences: 0")
                == "rejoin.json5:1:62: \"models[0].sequences\" must be a whole number of answers from 1 to 64, not 0")
        #expect(
            model("kind: 'llama', name: 'a', path: 'p', threads: 'all'")
                == "rejoin.json5:1:60: \"models[0].threads\" must be a whole number of threads from 1 to 256, not \"all\""
        )
        #expect(
            model("kind: 'llama', name: 'a', path: 'p', context: 1")
                == "rejoin.json5:1:60: \"models[0].context\" must be a whole number of tokens from 256 to 1048576, not 1"
        )
    }

    // MARK: Keys of providers

    private func provider(_ members: String, _ environment: [String: String] = [:]) -> String? {
        refusal(
            "{ models: [{ kind: 'openai', name: 'a', base_url: 'http://h', model: 'm',\n\(members) }] }", environment)
    }

    @Test func `refuses a key in the file, and does not show it`() {
        #expect(
            provider("api_key: 'sk-hidden'")
                == "rejoin.json5:2:1: a key does not belong into the configuration; put it into an environment variable "
                + "or a file and name that by \"api_key_env\" or \"api_key_file\"")
        #expect(
            provider("api_key_env: 'sk-hidden'")
                == "rejoin.json5:2:14: \"models[0].api_key_env\" must be the name of an environment variable, not the key "
                + "itself")
        #expect(provider("api_key_file: 'sk-hidden'") == "rejoin.json5:2:15: there is no such file")
        #expect(
            refusal("{ models: [{ kind: 'openai', name: 'a', model: 'm', base_url: 'http://u:hidden@h/' }] }")
                == "rejoin.json5:1:63: \"models[0].base_url\" must not hold a name or password; use api_key_env or "
                + "api_key_file")
    }

    @Test func `refuses a key that is not there or cannot be one`() throws {
        #expect(
            provider("api_key_env: 'MISSING'") == "rejoin.json5:2:14: the environment variable MISSING is not set")
        for value in ["", " \n", "two words", "nul\0", "ключ"] {
            #expect(
                provider("api_key_env: 'K'", ["K": value])
                    == "rejoin.json5:2:14: the environment variable K does not hold a key: one word of visible ASCII")
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "rejoin-\(UUID()).key")
        try "two words\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(
            provider("api_key_file: '\(file.path())'")
                == "rejoin.json5:2:15: the file does not hold a key: one word of visible ASCII")
        #expect(
            provider("api_key_env: 'K', api_key_file: 'f'", ["K": "k"])
                == "rejoin.json5:2:33: \"models[0].api_key_file\" and \"models[0].api_key_env\" exclude each other")
    }

    // MARK: Variables and options

    @Test func `names the variable or option that is wrong`() {
        #expect(
            refusal(nil, ["REJOIN_LISTEN": "8787"])
                == "REJOIN_LISTEN: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not 8787")
        #expect(
            refusal(nil, ["REJOIN_LIMITS_QUEUE_LENGTH": "many"])
                == "REJOIN_LIMITS_QUEUE_LENGTH: \"limits.queue_length\" must be a whole number of answers from 0 to "
                + "100000, not \"many\"")
        #expect(
            refusal(nil, ["REJOIN_LIMITS_DRAIN_SECONDS": "nan"])
                == "REJOIN_LIMITS_DRAIN_SECONDS: \"limits.drain_seconds\" must be a number of seconds from 0 to 3600, "
                + "not nan")
        #expect(
            refusal(nil, [:], ConfigurationFlags(logLevel: "loud"))
                == "--log-level: \"log_level\" must be \"debug\", \"info\", \"warning\" or \"error\", not \"loud\"")
        #expect(
            refusal(nil, ["REJOIN_DEFAULT_MODEL": "x"])
                == "REJOIN_DEFAULT_MODEL: \"default_model\" must be the name of a model (there are none), not \"x\"")
    }

    @Test func `refuses a variable that looks like a slip`() {
        #expect(refusal(nil, ["REJOIN_LISTN": "x"]) == "REJOIN_LISTN: unknown variable; did you mean REJOIN_LISTEN?")
        #expect(
            refusal(nil, ["REJOIN_LIMITS_QUEUE_LENGHT": "1"])
                == "REJOIN_LIMITS_QUEUE_LENGHT: unknown variable; did you mean REJOIN_LIMITS_QUEUE_LENGTH?")
    }

    @Test func `refuses a wrong value also where a later layer wins`() {
        #expect(
            refusal("{ listen: 1 }", ["REJOIN_LISTEN": "h:1"], ConfigurationFlags(listen: "h:2"))
                == "rejoin.json5:1:11: \"listen\" must be HOST:PORT, such as \"127.0.0.1:8787\", not 1")
    }

    // MARK: Files

    @Test func `says which file it cannot use`() throws {
        func refusal(_ path: String) -> String? {
            do throws(ConfigurationError) {
                _ = try Configuration.load(file: path, environment: [:], flags: ConfigurationFlags())
                return nil
            } catch {
                return error.description
            }
        }
        #expect(refusal("/no/rejoin.json5") == "/no/rejoin.json5: there is no such file")
        #expect(refusal("/usr") == "/usr: the file cannot be read")
        let file = FileManager.default.temporaryDirectory.appending(path: "rejoin-\(UUID()).json5")
        try Data(count: ConfigurationFile.maximumBytes + 1).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(refusal(file.path()) == "\(file.path()): the file is larger than 1048576 bytes")
    }

    @Test func `needs a home for its data`() {
        #expect(throws: ConfigurationError(at: "--data", "name a data folder: neither HOME nor XDG_DATA_HOME is set")) {
            try Configuration.load(file: nil, environment: [:], flags: ConfigurationFlags())
        }
        #expect(throws: ConfigurationError(at: "REJOIN_DATA", "\"~\" in \"data\" needs HOME to be set")) {
            try Configuration.load(file: nil, environment: ["REJOIN_DATA": "~/d"], flags: ConfigurationFlags())
        }
    }

    @Test func `leaves with EX_CONFIG`() { #expect(ConfigurationError.exitCode == 78) }
}
