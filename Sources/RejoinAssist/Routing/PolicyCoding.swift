#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RejoinCore

/// Why a policy or a set of restrictions was not understood; nothing of it is used then.
public struct PolicyError: Error, Sendable, Hashable {
    /// What is wrong, in words for whoever wrote the document.
    public let problem: String
    /// The names on the way to it, from the outside in.
    public let path: [String]
}

extension PolicyError: CustomStringConvertible {
    public var description: String { path.isEmpty ? problem : path.joined(separator: ".") + ": " + problem }
}

extension RoutePolicy {
    /// Reads a policy from JSON.
    ///
    /// - Throws: ``PolicyError`` for anything that this version does not know: a format, a name, a value.
    public init(json: [UInt8]) throws {
        self = try decodePolicyDocument(json)
    }
}

extension RemoteRestrictions {
    /// Reads restrictions from JSON.
    ///
    /// - Throws: ``PolicyError`` for anything that this version does not know. A prohibition that cannot be understood
    ///   must not be passed over, so the last ones that were understood stay in force.
    public init(json: [UInt8]) throws {
        self = try decodePolicyDocument(json)
    }
}

private func decodePolicyDocument<Document: Decodable>(_ json: [UInt8]) throws -> Document {
    do {
        // The strict reader refuses what the other lets pass, such as a name that stands twice.
        _ = try JSONReader.parse(json, maximumDepth: 16)
    } catch {
        throw PolicyError(problem: "not JSON, at byte \(error.offset)", path: [])
    }
    do {
        return try JSONDecoder().decode(Document.self, from: Data(json))
    } catch let DecodingError.keyNotFound(key, context) {
        throw PolicyError(problem: "\"\(key.stringValue)\" is missing", path: context.codingPath.map(\.stringValue))
    } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context) {
        throw PolicyError(problem: "a value of another kind is needed", path: context.codingPath.map(\.stringValue))
    } catch let DecodingError.dataCorrupted(context) {
        throw PolicyError(problem: "a value that is not known", path: context.codingPath.map(\.stringValue))
    }
}

/// A name of whatever spelling, to find those that nobody knows.
private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Refuses names that are not among those given.
    fileprivate func refuseUnknown<Key: CodingKey & CaseIterable>(besides keys: Key.Type) throws {
        let known = Set(Key.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyName.self).allKeys where !known.contains(key.stringValue) {
            throw PolicyError(problem: "\"\(key.stringValue)\" is not known", path: codingPath.map(\.stringValue))
        }
    }

    fileprivate func refuse(format: Int) throws {
        guard format == 1 else {
            throw PolicyError(
                problem: "format \(format) is not known; this version reads format 1",
                path: codingPath.map(\.stringValue))
        }
    }
}

extension RoutePolicy: Codable {
    private enum Key: String, CodingKey, CaseIterable { case format, version, preferences, overrides, restrictions }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        // The format comes first: a later one may have names that are not known here.
        try decoder.refuse(format: container.decode(Int.self, forKey: .format))
        try decoder.refuseUnknown(besides: Key.self)
        self.init(
            version: try container.decode(Int.self, forKey: .version),
            preferences: try container.decodeIfPresent([RoutePreference].self, forKey: .preferences)
                ?? RoutePreference.nearestFirst,
            overrides: try container.decodeIfPresent([String: PolicyOverride].self, forKey: .overrides) ?? [:],
            restrictions: try container.decodeIfPresent(RemoteRestrictions.self, forKey: .restrictions)
                ?? RemoteRestrictions())
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .format)
        try container.encode(version, forKey: .version)
        try container.encode(preferences, forKey: .preferences)
        try container.encode(overrides, forKey: .overrides)
        try container.encode(restrictions, forKey: .restrictions)
    }
}

extension RoutePreference: Codable {
    private enum Key: String, CodingKey, CaseIterable { case route, weight, risks, urgencies }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknown(besides: Key.self)
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            try container.decode(RouteKind.self, forKey: .route),
            weight: try container.decode(Int.self, forKey: .weight),
            risks: try container.decodeIfPresent(Set<DomainRisk>.self, forKey: .risks) ?? [],
            urgencies: try container.decodeIfPresent(Set<Urgency>.self, forKey: .urgencies) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(route, forKey: .route)
        try container.encode(weight, forKey: .weight)
        if !risks.isEmpty { try container.encode(DomainRisk.allCases.filter(risks.contains), forKey: .risks) }
        if !urgencies.isEmpty { try container.encode(Urgency.allCases.filter(urgencies.contains), forKey: .urgencies) }
    }
}

extension PolicyOverride: Codable {
    private enum Key: String, CodingKey, CaseIterable { case preferences, forbidden, cloudTier }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknown(besides: Key.self)
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            preferences: try container.decodeIfPresent([RoutePreference].self, forKey: .preferences),
            forbidden: try container.decodeIfPresent(Set<RouteKind>.self, forKey: .forbidden) ?? [],
            cloudTier: try container.decodeIfPresent(CloudTier.self, forKey: .cloudTier))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(preferences, forKey: .preferences)
        if !forbidden.isEmpty { try container.encode(forbidden.inOrder, forKey: .forbidden) }
        try container.encodeIfPresent(cloudTier, forKey: .cloudTier)
    }
}

extension RemoteRestrictions: Codable {
    private enum Key: String, CodingKey, CaseIterable { case format, routes, operations }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try decoder.refuse(format: container.decode(Int.self, forKey: .format))
        try decoder.refuseUnknown(besides: Key.self)
        self.init(
            routes: try container.decodeIfPresent(Set<RouteKind>.self, forKey: .routes) ?? [],
            operations: try container.decodeIfPresent([String: Set<RouteKind>].self, forKey: .operations) ?? [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .format)
        try container.encode(routes.inOrder, forKey: .routes)
        try container.encode(operations.mapValues(\.inOrder), forKey: .operations)
    }
}

extension Set<RouteKind> {
    /// The kinds in their own order, so that the same set is always written the same.
    fileprivate var inOrder: [RouteKind] { RouteKind.allCases.filter(contains) }
}
