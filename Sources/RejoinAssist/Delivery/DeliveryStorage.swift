/// Where a model is kept on the device: one part that grows, and the whole under its name.
///
/// Its calls may block for as long as the disk takes; ``FolderStorage`` is a folder.
public protocol DeliveryStorage: Sendable {
    /// The size of the whole file; nil if it is not there.
    func installedBytes(_ name: String) -> Int?
    /// The size of the part that is there; 0 if there is none.
    func partBytes(_ name: String) -> Int
    /// Free space for this app; nil where nobody knows.
    func freeBytes() -> Int?
    /// Adds bytes to the part, which begins with the first.
    func append(_ bytes: [UInt8], to name: String) throws
    /// Reads a stretch of the part; empty at its end.
    func read(_ name: String, from offset: Int, count: Int) throws -> [UInt8]
    /// Makes the part durable and gives it the whole's name, in one step.
    func install(_ name: String) throws
    /// Deletes the part.
    func discardPart(_ name: String) throws
    /// Deletes the whole and the part.
    func remove(_ name: String) throws
}
