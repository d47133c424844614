public import RejoinCore

extension Answer {
    /// Who answered, in words, where that was a device and not the server; nil otherwise.
    ///
    /// - Parameter delivery: how far the prompt is, which tells whether it was this device.
    public func placementWords(_ delivery: Delivery) -> String? {
        let name = model.map { " by \($0.model)" } ?? ""
        switch delivery {
        case .onDevice(staysHere: true): return "Answered on this device\(name), and kept here alone"
        case .onDevice(staysHere: false): return "Answered on this device\(name)"
        case .delivered where model?.placement == .device: return "Answered on a device\(name)"
        case .delivered, .sending, .waiting, .refused, .expired: return nil
        }
    }
}

extension AnswerModel {
    /// Who answered, in words, where that was a device and not the server; nil otherwise.
    public var placementWords: String? { answer.placementWords(shown.delivery) }
}
