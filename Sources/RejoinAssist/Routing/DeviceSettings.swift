internal import RejoinCore

/// What the person has chosen for this device, in a file that stays on it.
///
/// The file belongs in a folder that is neither synced nor backed up, such as the one for a program's state; on
/// another device the same person may want something else.
public struct DeviceSettings: Sendable {
    private let file: PrivateFile

    /// Keeps the settings in a file, which is made with the first choice; its folder too, but not the one above that.
    public init(path: String) {
        file = PrivateFile(path: path)
    }

    /// The mode that the person has chosen; `automatic` if none was.
    ///
    /// - Throws: ``DeviceSettingsError`` if the file cannot be read or understood.
    public func mode() throws(DeviceSettingsError) -> ExecutionMode {
        let bytes: [UInt8]?
        do { bytes = try file.read() } catch { throw .unreadable(errno: error.errno) }
        guard let bytes else { return .automatic }
        let value: JSONValue
        do { value = try JSONReader.parse(bytes) } catch { throw .malformed }
        guard let object = value.object, object.members.count == 2, object["format"]?.integer == 1,
            let mode = object["mode"]?.string.flatMap(ExecutionMode.init(rawValue:))
        else { throw .malformed }
        return mode
    }

    /// The mode that the person has chosen, and the most private one if that cannot be read.
    public var modeOrMostPrivate: ExecutionMode { (try? mode()) ?? .onDeviceOnly }

    /// Keeps a mode, in place of whatever is there.
    ///
    /// - Throws: ``DeviceSettingsError`` if the file cannot be written.
    public func choose(_ mode: ExecutionMode) throws(DeviceSettingsError) {
        try file.update { _ throws(DeviceSettingsError) in
            var writer = JSONWriter()
            writer.beginObject()
            writer.name("format")
            writer.integer(1)
            writer.name("mode")
            writer.string(mode.rawValue)
            writer.endObject()
            return writer.bytes + [0x0A]
        } orElse: {
            .unwritable(errno: $0.errno)
        }
    }
}

/// Why a device's settings could not be used.
@nonexhaustive public enum DeviceSettingsError: Error, Sendable, Hashable {
    /// The file is there and cannot be opened; the system's number for why.
    case unreadable(errno: Int32)
    /// The file does not hold settings that this version understands.
    case malformed
    /// The file could not be written; the system's number for why.
    case unwritable(errno: Int32)
}

extension DeviceSettingsError: CustomStringConvertible {
    /// Safe to show: it names no file.
    public var description: String {
        switch self {
        case .unreadable(let number): "this device's settings cannot be read (system error \(number))"
        case .malformed: "this device's settings are not in a form that this version understands"
        case .unwritable(let number): "this device's settings cannot be written (system error \(number))"
        }
    }
}
