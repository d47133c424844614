internal import RejoinAssist
internal import RejoinCore

extension LocalState {
    /// The number in the table; from 2 on the answer is not at rest, and the index of unfinished answers holds it.
    var code: Int {
        switch self {
        case .none: 0
        case .withdrawn: 1
        case .sending: 2
        case .waiting: 3
        case .streaming: 4
        case .interrupted: 5
        case .stopRequested: 6
        }
    }

    /// Reads a number of the table; nil if there is no such state.
    init?(code: Int, withdrawal: String?) {
        switch code {
        case 0: self = .none
        case 1: self = .withdrawn(reason: withdrawal ?? "")
        case 2: self = .sending
        case 3: self = .waiting
        case 4: self = .streaming
        case 5: self = .interrupted
        case 6: self = .stopRequested
        default: return nil
        }
    }
}

extension Delivery {
    /// The numbers in the table; below 2 the turn is unsent, and the index of unsent turns holds it; from 5 on this
    /// device answered it and the server has not got it.
    enum Code: Int { case waiting = 0, sending, delivered, refused, expired, onDevice, staysHere }

    /// The number in the table.
    var code: Int {
        switch self {
        case .waiting: Code.waiting.rawValue
        case .sending: Code.sending.rawValue
        case .delivered: Code.delivered.rawValue
        case .refused: Code.refused.rawValue
        case .expired: Code.expired.rawValue
        case .onDevice(let staysHere): (staysHere ? Code.staysHere : .onDevice).rawValue
        }
    }
}

extension ClientRefusal {
    /// The refusal as JSON.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("code", code.name)
        json.member("capability", capability)
        if let resetsAt {
            json.name("resets_at")
            json.time(resetsAt)
        }
        json.member("why", why?.rawValue)
        json.endObject()
        return json.bytes
    }

    /// Reads what ``json`` wrote.
    init?(json bytes: [UInt8]) {
        guard let object = try? JSONReader.parse(bytes).object, let code = object["code"]?.string else { return nil }
        self.init(
            Code(code), capability: object["capability"]?.string,
            resetsAt: object["resets_at"]?.string.flatMap { Timestamp($0) },
            why: object["why"]?.string.flatMap { MessageKey(rawValue: $0) })
    }
}
