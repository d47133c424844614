package import RejoinCore

/// A request that a ``ScriptedUpstream`` got, and what became of it.
package struct UpstreamRequest: Sendable {
    /// From 1, in the order of arrival since the last reset.
    package var number: Int
    package var method: String
    /// Path and query, as sent.
    package var target: String
    /// Names in lower case.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    package var startedAt: ContinuousClock.Instant
    /// When the script had been played to its end.
    package var finishedAt: ContinuousClock.Instant?
    /// When the client was seen to have gone before that.
    package var abortedAt: ContinuousClock.Instant?

    /// The first field of a name in lower case.
    package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The body, if it is JSON.
    package var json: JSONValue? { try? JSONReader.parse(body) }

    /// The model that the body names.
    package var model: String? { json?.object?["model"]?.string }

    /// Reads a request from the front of `input` once it is whole.
    ///
    /// - Returns: nil while bytes are missing; `.failure` for what is not a request.
    static func take(from input: inout [UInt8], now: ContinuousClock.Instant) -> Result<UpstreamRequest, NotARequest>? {
        // Waiting for the end of a head that is none, a TLS greeting say, would keep its sender waiting too.
        if let first = input.first, !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
            return .failure(NotARequest())
        }
        let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard input.count >= 4,
            let end = (0...(input.count - 4)).first(where: { input[$0..<$0 + 4].elementsEqual(mark) })
        else { return input.count > 1 << 20 ? .failure(NotARequest()) : nil }
        let lines = String(decoding: input[..<end], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return .failure(NotARequest()) }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return .failure(NotARequest()) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((line[..<colon].lowercased(), String(value)))
        }
        let length = fields.first { $0.name == "content-length" }.map { Int($0.value) ?? -1 } ?? 0
        guard length >= 0, length <= 1 << 30 else { return .failure(NotARequest()) }
        guard input.count - end - 4 >= length else { return nil }
        let body = Array(input[(end + 4)..<(end + 4 + length)])
        input.removeFirst(end + 4 + length)
        return .success(
            UpstreamRequest(
                number: 0, method: String(words[0]), target: String(words[1]), fields: fields, body: body,
                startedAt: now))
    }

    /// Bytes that are no HTTP request.
    struct NotARequest: Error {}
}
