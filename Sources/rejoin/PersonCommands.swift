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
    default: return await command.listMemory()
    }
}

extension Invocation<RejoinAction> {
    fileprivate var auditLimit: Int {
        get throws(UsageError) {
            guard let text = self[option: "limit"] else { return 20 }
            guard let number = Int(text), (1...200).contains(number) else {
                throw UsageError(path: path, "--limit is a number from 1 to 200, not \"\(text)\"")
            }
            return number
        }
    }
}
