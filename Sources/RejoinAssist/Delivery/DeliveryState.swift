/// Where the delivery of a model to the device stands, from "not for this device" to "ready".
public enum DeliveryState: Sendable, Hashable {
    /// This device will not run it.
    case notOffered(Reason)
    /// It can be fetched; so large it is.
    case offered(bytes: Int)
    /// It is being fetched.
    case downloading(done: Int, of: Int)
    /// It is all there and is being checked.
    case verifying
    /// It can be used.
    case ready
    /// It is being deleted.
    case removing
    /// The last try came to nothing; what was fetched is kept where it is of use.
    case failed(Failure)

    /// Why a model is not offered on a device.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The device has too little memory.
        case memory
        /// The device's processor cannot run it.
        case processor
        /// The app does not offer it here.
        case notHere
    }

    /// Why a delivery came to nothing.
    public enum Failure: Error, Sendable, Hashable {
        /// What the person agreed to is not what is offered.
        case offerChanged
        /// The device has too little space.
        case noSpace(needed: Int, free: Int)
        /// The source could not be reached or broke off; a further try goes on from there.
        case sourceFailed
        /// The source has another file than was offered.
        case sourceChanged
        /// What came is not what was offered, and was deleted.
        case digestDiffers
        /// The device's storage refused.
        case storageFailed
        /// It was stopped; a further try goes on from there.
        case cancelled
    }
}
