import CCurl

/// An absolute URL as libcurl reads it, so that what is checked is what a connection is opened to.
package struct URLParts: Sendable, Equatable {
    /// In lower case.
    package let scheme: String
    /// In lower case; a number in any of the old notations of an address is written as that address.
    ///
    /// An address of version 6 stands in brackets.
    package let host: String
    package let port: Int
    /// Whether a name or a password stands before the host.
    package let hasUser: Bool
    /// The whole, normalised.
    package let text: String

    /// Reads a URL, against another if it is a relative one.
    ///
    /// - Returns: nil for what libcurl would not take.
    package init?(_ text: String, relativeTo base: URLParts? = nil) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        func set(_ url: String) -> Bool { unsafe curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK }
        func get(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            let status = unsafe curl_url_get(handle, part, &found, UInt32(flags))
            guard status == CURLUE_OK, let found = unsafe found else { return nil }
            defer { unsafe curl_free(found) }
            return unsafe String(cString: found)
        }
        if let base, !set(base.text) { return nil }
        guard set(text), let scheme = get(CURLUPART_SCHEME), let host = get(CURLUPART_HOST), !host.isEmpty,
            let port = get(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }), let whole = get(CURLUPART_URL)
        else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
        hasUser = get(CURLUPART_USER) != nil || get(CURLUPART_PASSWORD) != nil
        self.text = whole
    }

    /// Whether two URLs are of one server: the scheme, the host and the port are the same.
    package func isSameOrigin(as other: URLParts) -> Bool {
        (scheme, host, port) == (other.scheme, other.host, other.port)
    }
}
