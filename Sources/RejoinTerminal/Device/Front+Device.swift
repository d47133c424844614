import RejoinAssist
import RejoinClient

extension Front {
    /// Whether a command asks through the store of this device, and where the server is if one is known.
    enum Way {
        /// By the server alone, as if this device had no model.
        case server(ServerLocation)
        /// Through the store: the server or this device answers, as is decided for each prompt.
        case store(ServerLocation?)
        case refused(Int32)
    }

    /// Finds out how to ask.
    ///
    /// With a model of this device and nothing said, the server is tried first, and the device takes over where it is
    /// not there.
    func way(_ options: ServerLocation.Options, _ device: DeviceOptions) async -> Way {
        let isPrivate = device.effective == .onDeviceOnly
        guard isPrivate || device.answering != nil else {
            switch await locate(options) {
            case .success(let location): return .server(location)
            case .failure(let refusal): return .refused(refusal.code)
            }
        }
        let location: ServerLocation
        do {
            location = try ServerLocation.resolve(options, environment: environment)
        } catch .noServer where device.effective != .cloudAllowed || device.mode == nil {
            return .store(nil)
        } catch {
            await say(error.description)
            if case .noServer = error { return .refused(ExitCode.unavailable) }
            return .refused(ExitCode.usage)
        }
        if device.mode != nil || isPrivate { return .store(location) }
        return await isReachable(location) ? .server(location) : .store(location)
    }

    /// Whether a server answers now, in whatever words.
    private func isReachable(_ location: ServerLocation) async -> Bool {
        do {
            _ = try await makeClient(location).models()
            return true
        } catch let error as ClientError {
            return ExitCode.code(for: error) != ExitCode.unavailable
        } catch {
            return false
        }
    }
}
