import RejoinCore

extension Int {
    /// The greatest number of 18 digits.
    static let greatestWritten = 999_999_999_999_999_999

    /// Reads 1 to 18 decimal digits and nothing else: how whole numbers are written in addresses and header fields.
    ///
    /// The general reading takes a sign as well, and any number of zeros.
    init?(digits text: some StringProtocol) {
        let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...18).contains(text.utf8.count), isDigits, let number = Int(text) else { return nil }
        self = number
    }
}

extension JSONValue {
    /// The number, if it is whole however it was written: 30, 30.0 and 3e1 are one value, to JSON schemas too.
    var whole: Int? { integer ?? number.flatMap { Int(exactly: $0) } }
}
