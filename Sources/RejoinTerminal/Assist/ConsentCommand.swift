package import RejoinAssist
package import RejoinCore

/// `rejoin consent`: what may leave this device, to whom; and `rejoin assist stats`.
package struct ConsentCommand: Sendable {
    private let terminal: any Terminal
    private let consents: any ConsentLedger
    private let settings: DeviceSettings

    /// Reads and writes a record of consents and the mode of this device.
    package init(terminal: any Terminal, consents: any ConsentLedger, settings: DeviceSettings) {
        self.terminal = terminal
        self.consents = consents
        self.settings = settings
    }

    /// Lists the mode and every consent.
    package func list() async -> Int32 {
        await guarded {
            let mode = try settings.mode()
            let grants = try await consents.grants()
            var text = "mode: \(mode.word)\n"
            if grants.isEmpty { text += "Nothing may leave this device.\n" }
            for grant in grants {
                text += "\(AssistWords.words(for: grant.request)), since \(grant.time)\n"
            }
            try await terminal.write(text)
        }
    }

    /// Notes consent to a server's getting every kind of data up to the one that is named.
    package func grant(_ server: String, data: DataClass, at time: Timestamp) async -> Int32 {
        await guarded {
            for kind in DataClass.allCases where kind != .none {
                let request = ConsentRequest(
                    recipient: .firstParty(server), data: kind, disclosureVersion: Self.disclosureVersion)
                try await consents.record(ConsentGrant(request, at: time))
                if kind == data { break }
            }
        }
    }

    /// Takes back consent to one server, or to all.
    package func revoke(_ server: String?) async -> Int32 {
        await guarded {
            if let server {
                try await consents.revoke(.firstParty(server))
            } else {
                try await consents.revokeAll()
            }
        }
    }

    /// Keeps the mode of this device.
    package func choose(_ mode: ExecutionMode) async -> Int32 {
        await guarded { try settings.choose(mode) }
    }

    private func guarded(_ act: () async throws -> Void) async -> Int32 {
        do {
            try await act()
            return ExitCode.done
        } catch {
            await terminal.writeError("rejoin: \(error)\n")
            return ExitCode.failed
        }
    }

    /// The version of the words with which the terminal asks.
    package static let disclosureVersion = 1
}

extension ExecutionMode {
    /// The word for it on a command line.
    package var word: String {
        switch self {
        case .automatic: "automatic"
        case .onDeviceOnly: "on-device"
        case .cloudAllowed: "cloud"
        }
    }

    /// The mode that a command line names.
    package init?(word: String) {
        guard let mode = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = mode
    }
}
