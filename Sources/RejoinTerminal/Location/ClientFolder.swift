#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinClient
package import RejoinCore

/// Where the terminal keeps what it holds of an account, and what it remembers of its last sitting.
package struct ClientFolder: Sendable {
    package let path: String
    /// Names what is held of this account on this server.
    package let account: AccountID

    /// Chooses the folder: below `XDG_DATA_HOME`, or where that is by default.
    ///
    /// A token stands for one account on one server, and the server need not be there to say which: what is held is
    /// named by both.
    package init(_ location: ServerLocation, environment: [String: String]) {
        path = Self.path(environment)
        let key = location.address.lowercased() + "\n" + (location.token ?? "")
        account = AccountID(high: Self.digest(key, seed: 1), low: Self.digest(key, seed: 2))
    }

    /// The folder of the terminal's programs, whoever is signed in.
    package static func path(_ environment: [String: String]) -> String { DataHome.path(environment) + "/rejoin" }

    /// The conversation that was open when the terminal was last used; nil for none, or a new one.
    package var lastConversation: ConversationID? {
        get {
            guard let bytes = FileManager.default.contents(atPath: lastFile) else { return nil }
            return ConversationID(utf8: bytes.prefix(36))
        }
        nonmutating set {
            guard let id = newValue else {
                try? FileManager.default.removeItem(atPath: lastFile)
                return
            }
            // A comfort: where it cannot be kept, the terminal begins with a new conversation.
            try? Data("\(id)\n".utf8).write(to: URL(filePath: lastFile), options: .atomic)
        }
    }

    /// Removes everything that is held of the account here.
    ///
    /// - Throws: `LocalStoreError` where a file cannot be removed.
    package func erase() throws {
        lastConversation = nil
        try LocalStore.erase(folder: path, account: account)
    }

    private var lastFile: String { "\(path)/\(account).last" }

    /// FNV-1a with a last mixing; the token is random, and nothing about it can be read back from 128 bits of this.
    private static func digest(_ text: String, seed: UInt64) -> UInt64 {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}
