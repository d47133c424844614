import RejoinCore

/// When another try makes sense, as a server says it in one of several ways.
struct OpenAIRetryAfter {
    /// How long to wait; nil if nothing usable was said.
    var wait: Duration?
    /// False when the server asks not to be asked again.
    var allowsRetry = true

    /// Says nothing.
    init() {}

    /// Reads the fields of a reply: `retry-after-ms`, `Retry-After` in seconds or as a date, then the reset times of
    /// limits that have nothing left.
    init(now: Timestamp, field: (String) -> String?) {
        allowsRetry = field("x-should-retry") != "false"
        if let text = field("retry-after-ms"), let milliseconds = Self.number(text) {
            wait = .milliseconds(milliseconds)
        } else if let text = field("retry-after") {
            if let seconds = Self.number(text) {
                wait = .seconds(seconds)
            } else if let date = Self.date(text) {
                wait = .milliseconds(max(0, date.milliseconds - now.milliseconds))
            }
        } else {
            for limit in ["requests", "tokens"] where field("x-ratelimit-remaining-\(limit)") == "0" {
                guard let reset = field("x-ratelimit-reset-\(limit)").flatMap({ Self.duration($0) }) else { continue }
                wait = max(wait ?? .zero, reset)
            }
        }
    }

    /// Looks for a time among the members of an error.
    static func wait(inError object: JSONObject) -> Duration? {
        for source in [object, object["metadata"]?.object].compactMap(\.self) {
            for name in ["retry_after", "retry_after_seconds", "resets_in_seconds"] {
                if let seconds = source[name]?.number ?? source[name]?.string.flatMap(number) {
                    return isSensible(seconds) ? .seconds(seconds) : nil
                }
            }
            if let milliseconds = source["retry_after_ms"]?.number {
                return isSensible(milliseconds) ? .milliseconds(milliseconds) : nil
            }
        }
        return nil
    }

    /// Looks for "try again in 1m20.5s" in an error's lower-case words.
    static func wait(inMessage message: String) -> Duration? {
        let mark = Array("try again in ".utf8)
        let bytes = Array(message.utf8)
        guard bytes.count > mark.count,
            let start = (0...(bytes.count - mark.count)).first(where: { bytes[$0...].starts(with: mark) })
        else { return nil }
        let rest = bytes[(start + mark.count)...]
        let word = rest.prefix { $0 != 0x20 && $0 != UInt8(ascii: ",") }
        if let duration = duration(String(decoding: word, as: UTF8.self)) { return duration }
        let unit = rest.dropFirst(word.count + 1).prefix(6)
        guard let count = number(String(decoding: word, as: UTF8.self)) else { return nil }
        if unit.elementsEqual("second".utf8) { return .seconds(count) }
        return unit.elementsEqual("minute".utf8) ? .seconds(count * 60) : nil
    }

    /// Reads `350ms`, `20s`, `1m30s`, `2h` and the like; a full stop at the end belongs to the sentence.
    static func duration(_ text: String) -> Duration? {
        var seconds = 0.0
        var rest = text.hasSuffix(".") ? text.dropLast() : text[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let value = Double(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count)
            switch unit {
            case "ms": seconds += value / 1000
            case "s": seconds += value
            case "m": seconds += value * 60
            case "h": seconds += value * 3600
            case "d": seconds += value * 86_400
            default: return nil
            }
        }
        return isSensible(seconds) ? .seconds(seconds) : nil
    }

    private static func number(_ text: String) -> Double? {
        guard let number = Double(text), isSensible(number) else { return nil }
        return number
    }

    private static func isSensible(_ number: Double) -> Bool { number.isFinite && number >= 0 && number < 1e10 }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form of a date that is to be sent.
    private static func date(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
    }
}
