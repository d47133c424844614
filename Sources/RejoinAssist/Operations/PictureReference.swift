/// A picture that an operation looks at, by a name that only the app can resolve; the bytes travel apart from the words.
public struct PictureReference: Sendable, Hashable {
    /// The app's own name for the picture.
    public let id: String
    /// Its media type, such as `image/jpeg`.
    public let mediaType: String

    /// Names a picture.
    public init(id: String, mediaType: String) {
        self.id = id
        self.mediaType = mediaType
    }
}
