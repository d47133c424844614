/// Where a model's bytes come from; how is the app's affair.
public protocol ByteSource: Sendable {
    /// Opens the file for reading from an offset, by a range request or the like.
    ///
    /// - Returns: a stream that begins at the offset, or at 0 where the source knows no ranges.
    /// - Throws: anything; the delivery becomes `sourceFailed`.
    func open(from offset: Int) async throws -> any ByteStream
}

/// The bytes of an open source; one reader pulls.
public protocol ByteStream: Sendable {
    /// Where the first byte stands in the file.
    var start: Int { get }
    /// The size of the whole file, where the source says so.
    var total: Int? { get }
    /// The next bytes; nil at the end.
    ///
    /// - Throws: anything when it breaks off, `CancellationError` when the task was cancelled.
    func next() async throws -> [UInt8]?
}
