import CommandLineTable
import RejoinClient
import RejoinServer
import RejoinTerminal

/// The commands about a person's own account.
func person(_ invocation: Invocation<RejoinAction>) async throws(UsageError) -> Int32 {
    let command = AccountCommand(
        Front.terminal, location: ServerLocation.Options(invocation), now: Surroundings.system.wall)
    switch invocation.action {
    case .limits: return await command.limits()
    case .privacy:
        let topic = invocation[argument: "SWITCH"]
        if topic.isEmpty { return await command.showPrivacy() }
        let value = invocation[argument: "VALUE"]
        if value.isEmpty { throw UsageError(path: invocation.path, "VALUE is missing") }
        return await command.setPrivacy(topic, to: value)
    case .audit: return await command.audit(limit: try invocation.auditLimit)
    case .memoryAdd: return await command.remember(invocation[argument: "TEXT"])
    case .memoryEdit: return await command.reword(invocation[argument: "ID"], invocation[argument: "TEXT"])
    case .memoryAccept: return await command.accept(invocation[argument: "ID"])
    case .memoryRemove: return await command.forget(invocation[argument: "ID"])
    case .memoryClear: return await command.forgetEverything(isSure: invocation.switches.contains("yes"))
    case .memoryOn: return await command.decide(.memory, true)
    case .memoryOff: return await command.decide(.memory, false)
    case .deviceList: return await command.listDevices()
    case .deviceRemove: return await command.removeDevice(invocation[argument: "ID"])
    case .peopleList: return await command.listPeople()
    case .peopleRole: return await command.setRole(invocation[argument: "NAME"], to: invocation[argument: "ROLE"])
    case .peopleClose:
        return await command.closeAccount(invocation[argument: "NAME"], isSure: invocation.switches.contains("yes"))
    case .inviteList: return await command.listInvitations()
    case .inviteAdd:
        return await command.invite(uses: try invocation.invitedUses, days: try invocation.invitedDays)
    case .inviteRevoke: return await command.revokeInvitation(invocation[argument: "ID"])
    default: return await command.listMemory()
    }
}

extension Invocation<RejoinAction> {
    fileprivate var auditLimit: Int {
        get throws(UsageError) { try count("limit", in: 1...200, standard: 20) }
    }

    /// How many accounts an invitation is good for.
    var invitedUses: Int {
        get throws(UsageError) { try count("uses", in: 1...1000, standard: 1) }
    }

    /// How many days an invitation works.
    var invitedDays: Int {
        get throws(UsageError) { try count("days", in: 1...365, standard: 7) }
    }

    private func count(_ name: String, in bounds: ClosedRange<Int>, standard: Int) throws(UsageError) -> Int {
        guard let text = self[option: name] else { return standard }
        guard let number = Int(text), bounds.contains(number) else {
            throw UsageError(
                path: path,
                "--\(name) is a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not \"\(text)\"")
        }
        return number
    }
}
