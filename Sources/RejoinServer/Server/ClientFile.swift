import Foundation
import RejoinCore

/// The hand-over file of a data folder: where the server is, and a token, for a terminal of the same user.
enum ClientFile {
    static func encode(address: String, token: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("address", address)
        json.member("token", token)
        json.endObject()
        return json.bytes + [0x0A]
    }

    /// The token that an earlier start left; nil if there is none to be read.
    static func token(in file: String) -> String? { member("token", in: file) }

    static func member(_ name: String, in file: String) -> String? {
        guard let data = FileManager.default.contents(atPath: file), data.count < 4096 else { return nil }
        return try? JSONReader.parse([UInt8](data)).object?[name]?.string
    }
}
