/// The reference of the configuration, written from the same tables that read it.
package enum ConfigurationReference {
    /// The page `docs/configuration.md`.
    package static var page: String {
        var lines = [
            "# Configuration", "",
            "This page is generated from the tables in `Sources/RejoinServer/Configuration`; change those.", "",
            "`rejoin serve --config FILE` reads one file in JSON5: JSON with comments, single quotes, trailing commas and",
            "keys without quotes. Everything has a default, so the file may be missing, and a first one is short:", "",
            "```json5", "{", "    models: [",
            "        { name: \"small\", kind: \"llama\", path: \"models/small.gguf\" },",
            "        {",
            "            name: \"large\", kind: \"openai\", base_url: \"https://models.example/v1\", model: \"large-2\",",
            "            api_key_env: \"MODELS_KEY\", // the key itself is never in this file", "        },", "    ],",
            "    limits: { queue_length: 32 },", "}", "```", "",
            "A variable wins over the file, and an option of `rejoin serve` over both. A key or value that is not understood",
            "is refused at the start, with its line and column. Relative paths start at the folder of the file; `~/` is the",
            "home folder. `REJOIN_CONFIG` names the file where `--config` does not.", "",
            "At the signal HUP the file is read again. `off`, `off_models`, `plans`, `default_plan` and `log_level` hold from then",
            "on; everything else waits for the next start, and a line of the log (`reloaded`, `needs-restart`) names what does. A",
            "file that is not right changes nothing, and standard error says why.", "",
        ]
        lines += ["## Top level", ""]
        lines += table(ConfigurationKey<ConfigurationDraft>.scalars, prefix: "")
        lines += [
            "",
            "`models` and `plans` are lists of the objects below, `limits` and `oidc` are objects. There is no variable for a",
            "model, a plan or a provider.", "",
        ]
        for kind in ConfigurationKey<ModelDraft>.ModelKind.allCases {
            lines += ["## A model of `kind: \"\(kind.rawValue)\"`", ""]
            lines += table(ConfigurationKey<ModelDraft>.model(kind), prefix: nil) + [""]
        }
        lines += [
            "## A plan of `plans`", "",
            "Without plans nothing is counted and nobody sees a limit. `quotas` is a list of the objects below.", "",
        ]
        lines += table(ConfigurationKey<PlanDraft>.plan, prefix: nil)
        lines += ["", "## A quota of `quotas`", ""]
        lines += table(ConfigurationKey<QuotaDraft>.quota, prefix: nil)
        lines += [
            "", "## `oidc`", "",
            "A provider of OpenID Connect that people may sign in with. It sends them back to `public_url` followed by",
            "`/sign-in/oidc/callback`, which has to be registered there.", "",
        ]
        lines += table(ConfigurationKey<OpenIDDraft>.openID, prefix: nil)
        lines += ["", "## `limits`", ""]
        lines += table(ConfigurationKey<Configuration.Limits>.limits, prefix: "limits.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The variables with what they set, for the manual page.
    package static var variables: [(term: String, text: String)] {
        let scalars = ConfigurationKey<ConfigurationDraft>.scalars.map {
            (ConfigurationDraft.variable(for: $0.name), $0.summary.replacing("`", with: ""))
        }
        let limits = ConfigurationKey<Configuration.Limits>.limits.map {
            (ConfigurationDraft.variable(for: "limits." + $0.name), $0.summary)
        }
        return [("REJOIN_CONFIG", "The configuration file where --config names none.")] + scalars + limits
    }

    /// A table of keys; without a prefix there are no variables to show.
    private static func table<Target>(_ keys: [ConfigurationKey<Target>], prefix: String?) -> [String] {
        var lines =
            prefix == nil
            ? ["| Key | Value | Default | Meaning |", "|---|---|---|---|"]
            : ["| Key | Value | Default | Variable | Meaning |", "|---|---|---|---|---|"]
        for key in keys {
            let standard =
                key.standard.map { $0.first == "\"" || $0.first?.isNumber == true ? "`\($0)`" : $0 } ?? "required"
            let variable = prefix.map { "`\(ConfigurationDraft.variable(for: $0 + key.name))` | " } ?? ""
            lines.append("| `\(key.name)` | \(key.expected) | \(standard) | \(variable)\(key.summary) |")
        }
        return lines
    }
}
