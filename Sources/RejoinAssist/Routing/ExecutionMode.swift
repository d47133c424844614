/// What the person allows on this device, as a hard limit above every preference.
///
/// It belongs to the device. It can be neither encoded nor decoded as part of anything else, so that no record that is
/// synced or backed up comes to hold it; ``DeviceSettings`` keeps it.
public enum ExecutionMode: String, Sendable, Hashable, CaseIterable {
    /// On this device whatever can run here; elsewhere only what cannot, and only with consent.
    case automatic
    /// Nothing leaves this device.
    case onDeviceOnly = "on-device-only"
    /// Wherever the policy thinks best, with consent.
    case cloudAllowed = "cloud-allowed"
}
