import WebAssets

/// The page's files, ready to be sent: each one hashed and compressed once, at the start.
///
/// The page comes from the program itself, so there is no folder to find and none to get out of. Whatever is asked
/// for that is not a file of the page gives nothing, and the caller's next route has its turn.
package struct WebFiles: Sendable {
    /// One file as it was written.
    package struct File: Equatable, Sendable {
        /// The path with its leading slash.
        package var path: String
        package var mediaType: String
        package var bytes: [UInt8]

        package init(path: String, mediaType: String, bytes: [UInt8]) {
            self.path = path
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    /// What to send for a file.
    package struct Reply: Sendable {
        /// 200, or 304 where the browser holds the same bytes.
        package var status: Int
        /// The header fields, without `Content-Length`.
        package var fields: [(String, String)]
        /// Empty with a 304.
        package var body: [UInt8]
    }

    /// The page may run its own scripts and talk to its own server; everything else is closed to it.
    ///
    /// Compiling WebAssembly is allowed, evaluating text is not. Trusted types make a stray `innerHTML` an error instead
    /// of a hole: there is no policy for HTML, and the one that there is gives the address of the service worker.
    package static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; \
        manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types rejoinder-worker
        """

    private struct Prepared {
        let mediaType: String
        let identity: [UInt8]
        /// Nil where compressing gains nothing.
        let gzip: [UInt8]?
        let hash: String
    }

    private let files: [String: Prepared]

    /// The files that are compiled in.
    package static var embedded: [File] {
        (0..<web_asset_count).map { index in
            // The table is static and complete, so every pointer in it is valid for as long as the program runs.
            let asset = web_asset_at(index)!.pointee
            return File(
                path: String(cString: asset.path), mediaType: String(cString: asset.media_type),
                bytes: Array(UnsafeBufferPointer(start: asset.bytes, count: asset.count)))
        }
    }

    /// Prepares the files.
    ///
    /// - Parameter compress: gives the gzip form of bytes, or nil where that is not possible.
    package init(_ files: [File] = Self.embedded, compress: ([UInt8]) -> [UInt8]?) {
        var prepared: [String: Prepared] = [:]
        for file in files {
            let isSource = file.mediaType.hasPrefix("text/javascript") || file.mediaType.hasPrefix("text/css")
            let bytes = isSource ? SlimSource.slim(file.bytes) : file.bytes
            let gzip = compress(bytes).flatMap { $0.count < bytes.count ? $0 : nil }
            prepared[file.path] = Prepared(
                mediaType: file.mediaType, identity: bytes, gzip: gzip, hash: Self.hash(bytes))
        }
        self.files = prepared
    }

    /// What to send for a path, or nil if it is no part of the page.
    ///
    /// Every conversation's address is the page itself, so that a link or a reload opens it.
    ///
    /// - Parameters:
    ///   - path: the request's path without its query.
    ///   - ifNoneMatch: the request's `If-None-Match`, fields joined by commas.
    ///   - acceptEncoding: the request's `Accept-Encoding`, fields joined by commas.
    package func reply(path: String, ifNoneMatch: String?, acceptEncoding: String?) -> Reply? {
        let isPage = path == "/" || Self.isConversation(path)
        guard let file = files[isPage ? "/index.html" : path] else { return nil }
        let gzip = Self.accepts("gzip", in: acceptEncoding) ? file.gzip : nil
        // A strong tag names bytes, and the two forms are different bytes.
        let tag = gzip == nil ? "\"\(file.hash)\"" : "\"\(file.hash)-gzip\""
        var fields = [
            ("ETag", tag),
            ("Cache-Control", "no-cache"),
            ("Vary", "Accept-Encoding"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        // What only a document or a worker obeys is not sent fifty times with the page's modules.
        if Self.hasPolicy(file.mediaType, path) {
            fields += [
                ("Content-Security-Policy", Self.contentSecurityPolicy),
                ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
            ]
        }
        if let ifNoneMatch, Self.matches(tag, ifNoneMatch) { return Reply(status: 304, fields: fields, body: []) }
        fields.append(("Content-Type", file.mediaType))
        if gzip != nil { fields.append(("Content-Encoding", "gzip")) }
        return Reply(status: 200, fields: fields, body: gzip ?? file.identity)
    }

    /// Whether a file is opened as a document, or runs as a worker.
    private static func hasPolicy(_ mediaType: String, _ path: String) -> Bool {
        mediaType.hasPrefix("text/html") || mediaType.hasPrefix("image/svg") || path == "/offline.js"
    }

    private static func isConversation(_ path: String) -> Bool {
        guard path.hasPrefix("/c/") else { return false }
        let id = path.dropFirst(3)
        return !id.isEmpty && !id.contains("/")
    }

    /// Whether a coding is acceptable by RFC 9110 section 12.5.3, where a quality of zero means no.
    private static func accepts(_ coding: String, in field: String?) -> Bool {
        guard let field else { return false }
        var wildcard = false
        for item in field.lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map(trimmed)
            guard let name = parts.first else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            let isWanted = quality.map { (Double($0) ?? 0) > 0 } ?? true
            if name == coding { return isWanted }
            if name == "*" { wildcard = isWanted }
        }
        return wildcard
    }

    private static func matches(_ tag: String, _ ifNoneMatch: String) -> Bool {
        if trimmed(ifNoneMatch[...]) == "*" { return true }
        return ifNoneMatch.split(separator: ",").contains { item in
            let held = trimmed(item)
            // The comparison is the weak one: a cache in between may have weakened the tag.
            return (held.hasPrefix("W/") ? held.dropFirst(2) : held) == tag
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...end]
    }

    /// FNV-1a over 128 bits: it tells versions of our own files apart, which is all that is asked of it.
    private static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in bytes {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
