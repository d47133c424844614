internal import RejoinCore

extension TelemetryEvent {
    /// The names of everything that an event is written with; nothing else is.
    public static let fields = [
        "event", "operation", "route", "reason", "availability", "duration", "validation", "error", "versions",
    ]

    /// The event as one line of JSON, without the line's end.
    public var line: [UInt8] {
        var writer = JSONWriter()
        func member(_ name: String, _ value: String?) {
            guard let value else { return }
            writer.name(name)
            writer.string(value)
        }
        writer.beginObject()
        member("event", name.rawValue)
        member("operation", operation.name)
        member("route", route?.rawValue)
        member("reason", reason?.rawValue)
        if local != nil || cloud != nil {
            writer.name("availability")
            writer.beginObject()
            member("local", local?.rawValue)
            member("cloud", cloud?.rawValue)
            writer.endObject()
        }
        member("duration", duration?.rawValue)
        if let validation {
            writer.name("validation")
            writer.beginObject()
            member("result", validation.result.rawValue)
            member("language", validation.language.rawValue)
            writer.endObject()
        }
        member("error", failure?.rawValue)
        if policyVersion != nil || model != nil {
            writer.name("versions")
            writer.beginObject()
            if let policyVersion {
                writer.name("policy")
                writer.integer(Int(policyVersion))
            }
            if let model {
                member("model", model.name)
                writer.name("modelVersion")
                writer.beginArray()
                for number in model.numbers { writer.integer(Int(number)) }
                writer.endArray()
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    /// Reads an event from its line.
    ///
    /// Names of operations and models are looked up among those given, so that no text from a file becomes one. A line
    /// with anything in it that is not known gives `nil`; an unknown model alone is left out.
    init?(line: ArraySlice<UInt8>, operations: [OperationID], models: [VersionLabel]) {
        guard let object = (try? JSONReader.parse(line, maximumDepth: 3))?.object,
            object.members.allSatisfy({ Self.fields.contains($0.name) }),
            let name = object["event"]?.string.flatMap(EventName.init(rawValue:)),
            let operation = operations.first(where: { $0.name == object["operation"]?.string })
        else { return nil }
        let availability = object["availability"]?.object
        let outcome = object["validation"]?.object
        let versions = object["versions"]?.object
        do {
            var validation: ValidationOutcome?
            if let outcome {
                guard let result = try Self.label(outcome["result"], as: ValidationOutcome.Result.self),
                    let language = try Self.label(outcome["language"], as: LanguageLabel.self)
                else { return nil }
                validation = ValidationOutcome(result, language: language)
            }
            let known = models.first { $0.name == versions?["model"]?.string }
            let numbers = versions?["modelVersion"]?.array?.prefix(3).compactMap {
                $0.integer.flatMap(UInt16.init(exactly:))
            }
            self.init(
                name, operation: operation, route: try Self.label(object["route"]),
                reason: try Self.label(object["reason"]), local: try Self.label(availability?["local"]),
                cloud: try Self.label(availability?["cloud"]), duration: try Self.label(object["duration"]),
                validation: validation, failure: try Self.label(object["error"]),
                policyVersion: versions?["policy"]?.integer.map(UInt16.init(clamping:)),
                model: known.map { VersionLabel($0, numbers: numbers ?? []) })
        } catch {
            return nil
        }
    }

    private struct UnknownLabel: Error {}

    private static func label<Label: RawRepresentable<String>>(
        _ value: JSONValue?, as type: Label.Type = Label.self
    ) throws(UnknownLabel) -> Label? {
        guard let value else { return nil }
        guard let label = value.string.flatMap(Label.init(rawValue:)) else { throw UnknownLabel() }
        return label
    }
}
