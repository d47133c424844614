#if canImport(FoundationModels)
internal import FoundationModels
internal import RejoinAssist

/// Makes the framework's schema of ours, at run time and without its macros.
///
/// The framework does not keep a model to every choice: our pipeline checks each value again.
@available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
enum FrameworkSchema {
    static func schema(of schema: DraftSchema) throws -> GenerationSchema {
        try GenerationSchema(root: dynamic(schema, named: "Output"), dependencies: [])
    }

    /// - Parameter name: unique within the schema, for the framework refuses two shapes with one name.
    private static func dynamic(_ schema: DraftSchema, named name: String) -> DynamicGenerationSchema {
        switch schema {
        case .string: DynamicGenerationSchema(type: String.self)
        case .integer: DynamicGenerationSchema(type: Int.self)
        case .number: DynamicGenerationSchema(type: Double.self)
        case .boolean: DynamicGenerationSchema(type: Bool.self)
        case .choice(let words): DynamicGenerationSchema(name: name, anyOf: words.isEmpty ? [""] : words)
        // Outside of an object there is no way to say that a value may be absent.
        case .optional(let schema): dynamic(schema, named: name)
        case .array(let element, let count):
            DynamicGenerationSchema(
                arrayOf: dynamic(element, named: name + "Element"), minimumElements: max(0, count.lowerBound),
                maximumElements: max(0, count.upperBound))
        case .object(let properties):
            DynamicGenerationSchema(name: name, properties: properties.map { property($0, in: name) })
        }
    }

    private static func property(
        _ property: DraftSchema.Property, in name: String
    ) -> DynamicGenerationSchema.Property {
        var (schema, isOptional) = (property.schema, false)
        while case .optional(let inner) = schema { (schema, isOptional) = (inner, true) }
        return DynamicGenerationSchema.Property(
            name: property.name, description: property.meaning.isEmpty ? nil : property.meaning,
            schema: dynamic(schema, named: "\(name).\(property.name)"), isOptional: isOptional)
    }
}
#endif
