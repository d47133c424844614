internal import RejoinCore
internal import Synchronization

/// A record of consents in a file that only its owner may read.
///
/// The file is looked at anew for each question, so that a consent that another process takes back does not count here
/// either. A file that cannot be understood is never written over: nothing counts as consented to until somebody has
/// looked at it.
public final class FileConsentLedger: ConsentLedger {
    private struct State {
        var book = ConsentBook()
        var stamp: PrivateFile.Stamp?
    }

    private let file: PrivateFile
    private let state = Mutex(State())

    /// Keeps the record in a file, which is made with the first consent; its folder too, but not the one above that.
    public init(path: String) {
        file = PrivateFile(path: path)
    }

    public func status(for request: ConsentRequest) async -> ConsentStatus {
        state.withLock { state in
            do {
                try refresh(&state)
            } catch {
                return .unreadable
            }
            return state.book.status(for: request)
        }
    }

    public func grants() async throws -> [ConsentGrant] {
        try state.withLock { state throws(ConsentLedgerError) in
            try refresh(&state)
            return state.book.grants
        }
    }

    public func record(_ grant: ConsentGrant) async throws {
        try change { before throws(ConsentLedgerError) in ConsentBook.adding(grant, to: try ConsentFile.decode(before))
        }
    }

    public func revoke(_ recipient: Recipient) async throws {
        try change { before throws(ConsentLedgerError) in
            try ConsentFile.decode(before).filter { $0.request.recipient != recipient }
        }
    }

    public func revokeAll() async throws {
        // Nothing of what is there is needed, not even that it can be understood.
        try change { _ in [] }
    }

    public func changes() async -> AsyncStream<ConsentChange> {
        state.withLock { state in
            state.book.listen { [weak self] number in self?.state.withLock { $0.book.forget(number) } }
        }
    }

    private func change(
        _ make: ([UInt8]?) throws(ConsentLedgerError) -> [ConsentGrant]
    ) throws(ConsentLedgerError) {
        try state.withLock { state throws(ConsentLedgerError) in
            var after: [ConsentGrant] = []
            try file.update { before throws(ConsentLedgerError) in
                after = try make(before)
                return ConsentFile.encode(after)
            } orElse: {
                .unwritable(errno: $0.errno)
            }
            state.stamp = nil
            state.book.replace(with: after)
        }
    }

    private func refresh(_ state: inout State) throws(ConsentLedgerError) {
        do {
            let stamp = try file.stamp()
            // No file and no stamp yet are told apart by reading once more, which costs nothing where there is none.
            if let stamp, stamp == state.stamp { return }
            let bytes = try file.read()
            state.book.replace(with: try ConsentFile.decode(bytes))
            state.stamp = stamp
        } catch let fault as PrivateFile.Fault {
            state.stamp = nil
            throw .unreadable(errno: fault.errno)
        } catch {
            state.stamp = nil
            throw .malformed
        }
    }
}

/// The form of the file: JSON with a format number, in which nothing unknown is passed over.
enum ConsentFile {
    private static let format = 1

    static func encode(_ grants: [ConsentGrant]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("format")
        writer.integer(format)
        writer.name("grants")
        writer.beginArray()
        for grant in grants {
            writer.beginObject()
            writer.name("recipient")
            writer.string(kind(of: grant.request.recipient))
            if let name = name(of: grant.request.recipient) {
                writer.name("name")
                writer.string(name)
            }
            writer.name("data")
            writer.string(grant.request.data.rawValue)
            writer.name("disclosure")
            writer.integer(grant.request.disclosureVersion)
            writer.name("time")
            writer.time(grant.time)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    static func decode(_ bytes: [UInt8]?) throws(ConsentLedgerError) -> [ConsentGrant] {
        guard let bytes else { return [] }
        let value: JSONValue
        do { value = try JSONReader.parse(bytes) } catch { throw .malformed }
        guard let root = value.object, root.members.count == 2, root["format"]?.integer == format,
            let entries = root["grants"]?.array
        else { throw .malformed }
        var grants: [ConsentGrant] = []
        for entry in entries {
            guard let object = entry.object, let recipient = recipient(object),
                let data = object["data"]?.string.flatMap(DataClass.init(rawValue:)),
                let version = object["disclosure"]?.integer,
                let time = object["time"]?.string.flatMap({ Timestamp($0) })
            else { throw .malformed }
            let request = ConsentRequest(recipient: recipient, data: data, disclosureVersion: version)
            grants = ConsentBook.adding(ConsentGrant(request, at: time), to: grants)
        }
        return grants
    }

    private static func kind(of recipient: Recipient) -> String {
        switch recipient {
        case .platformPrivateCloud: "platform-private-cloud"
        case .firstParty: "first-party"
        case .thirdParty: "third-party"
        }
    }

    private static func name(of recipient: Recipient) -> String? {
        switch recipient {
        case .platformPrivateCloud: nil
        case .firstParty(let name), .thirdParty(let name): name
        }
    }

    private static func recipient(_ object: JSONObject) -> Recipient? {
        let name = object["name"]?.string
        let expected = name == nil ? 4 : 5
        guard object.members.count == expected else { return nil }
        return switch (object["recipient"]?.string, name) {
        case ("platform-private-cloud", nil): .platformPrivateCloud
        case ("first-party", let name?): .firstParty(name)
        case ("third-party", let name?): .thirdParty(name)
        default: nil
        }
    }
}
