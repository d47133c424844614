/// The address that people type to reach the server: a scheme, a host, a port, and no path.
package struct PublicURL: Equatable, Sendable {
    /// `http` or `https`.
    package var scheme: String
    /// In lower case, an IPv6 address in its brackets.
    package var host: String
    /// Nil for the scheme's own.
    package var port: Int?

    package init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Reads an address; one slash at its end is allowed, a path, a question or a name before an `@` is not.
    package init?(_ text: String) {
        let text = text.lowercased()
        guard let scheme = ["https", "http"].first(where: { text.hasPrefix($0 + "://") }) else { return nil }
        var authority = text.dropFirst(scheme.count + 3)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        var port: Int?
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterBracket...].lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            port = Int(number)
            authority = authority[..<colon]
        }
        let isLiteral = authority.hasPrefix("[") && authority.hasSuffix("]") && authority.count > 2
        let name = isLiteral ? authority.dropFirst().dropLast() : authority
        guard !name.isEmpty, name.utf8.count <= 253, Setting.isPlain(name, and: isLiteral ? ":." : "-.") else {
            return nil
        }
        self.scheme = scheme
        host = String(authority)
        self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
    }

    /// As browsers write it: the scheme's own port is left out.
    package var origin: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

    /// Whether the host is a number and not a name.
    package var isBareAddress: Bool {
        if host.hasPrefix("[") { return true }
        // By the rule of browsers: a host whose last part is a number is an IPv4 address.
        return host.split(separator: ".").last.map { $0.allSatisfy(\.isNumber) || $0.hasPrefix("0x") } ?? true
    }
}
