import RejoinAssist
import RejoinCore
import Testing

/// Values of every kind, through the one way that an app has.
@Suite struct NormaliseTests {
    private func value(_ field: String, _ text: String, _ input: Extract<Sample>.Input = .init(text: "")) -> String? {
        var words = ["name": "x"]
        words[field] = text
        let draft = Extract<Sample>.Draft(words)
        return (try? Extract<Sample>.pipeline(draft, against: input))?.value[field]?.description
    }

    @Test(
        "R46 an amount is read where it can mean one thing only",
        arguments: [
            ("12.50 EUR", "12.50 EUR"), ("€ 12,50", "12.50 EUR"), ("eur 12", "12.00 EUR"), ("12.5 €", "12.50 EUR"),
            ("1,234.50 USD", "1234.50 USD"), ("1.234,50 EUR", "1234.50 EUR"), ("1 234,50 EUR", "1234.50 EUR"),
            ("CHF 1'234.50", "1234.50 CHF"), ("1,234 GBP", "1234.00 GBP"), ("1.234 EUR", "1234.00 EUR"),
            ("1,234,567.89 USD", "1234567.89 USD"), ("JPY 1,234", "1234 JPY"), ("₩ 50.000", "50000 KRW"),
            ("1.5 KWD", "1.500 KWD"), ("0.05 EUR", "0.05 EUR"), ("$5 USD", "5.00 USD"),
            ("1\u{00A0}234,5 EUR", "1234.50 EUR"),
            ("12.50 EUR.", "12.50 EUR"),
        ])
    func amounts(text: String, expected: String) {
        #expect(value("amount", text) == expected)
    }

    @Test(
        "R46 an amount below nothing, without end, beyond 64 bits or with two meanings is none",
        arguments: [
            "-5 EUR", "−5 EUR", "(5.00) EUR", "NaN EUR", "inf EUR", "1e400 EUR", "99999999999999999999 EUR",
            "92233720368547758.08 EUR", "1.234 KWD", "12.50", "$ 12.50", "12 EUR USD", "12 XYZ", "12.5 JPY",
            "12.345.6 EUR",
            "1,23,456 EUR", "0,123 EUR", "1..2 EUR", "EUR", "", ".", "12 EUR 13", "12.50 XAU", "1.2.3 EUR", "5 HRK",
        ])
    func notAmounts(text: String) {
        #expect(value("amount", text) == nil)
    }

    @Test("R46 a currency that the field does not allow is refused, and a known one stands in for none")
    func currencies() {
        #expect(value("price", "12 EUR") == "12.00 EUR")
        #expect(value("price", "12") == "12.00 EUR")
        #expect(value("price", "12 USD") == nil)
        let input = Extract<Sample>.Input(text: "", currency: Currency(code: "usd"))
        #expect(value("amount", "12", input) == "12.00 USD")
        #expect(value("amount", "$12", input) == "12.00 USD")
        #expect(value("amount", "12 EUR", input) == "12.00 EUR")
    }

    @Test(
        "R46 a day is written as ISO 8601 where it is one day only",
        arguments: [
            ("2026-03-04", "2026-03-04"), ("2026/3/4", "2026-03-04"), ("20260304", "2026-03-04"),
            ("4.3.2026", "2026-03-04"),
            ("04.03.26", "2026-03-04"), ("4 March 2026", "2026-03-04"), ("March 4th, 2026", "2026-03-04"),
            ("4. März 2026", "2026-03-04"), ("4 mars 2026", "2026-03-04"), ("4 de marzo de 2026", "2026-03-04"),
            ("25/12/2026", "2026-12-25"), ("12/25/2026", "2026-12-25"), ("5/5/2026", "2026-05-05"),
            ("2026-03-04T10:20:30Z", "2026-03-04"), ("4 Mar 2026 10:20", "2026-03-04"),
            ("Wed, 4 Mar 2026", "2026-03-04"),
            ("29.2.2028", "2028-02-29"),
        ])
    func days(text: String, expected: String) {
        #expect(value("day", text) == expected)
    }

    @Test(
        "R46 a day that no calendar has, or that could be two, is none",
        arguments: [
            "2026-02-30", "2026-13-01", "29.2.2026", "03/04/2026", "0000-00-00", "yesterday", "32 March 2026",
            "4 Foo 2026",
            "2026-03", "2026-03-04-05", "99999999999999999999", "4 Ma 2026", "",
        ])
    func notDays(text: String) {
        #expect(value("day", text) == nil)
    }

    @Test("R46 the order of day and month is taken from who knows it")
    func order() {
        #expect(value("day", "03/04/2026", .init(text: "", dateOrder: .dayFirst)) == "2026-04-03")
        #expect(value("day", "03/04/2026", .init(text: "", dateOrder: .monthFirst)) == "2026-03-04")
    }

    @Test("R46 case and white space do not count in a word of a list")
    func words() {
        #expect(value("kind", "  cAsH \n") == "Cash")
        #expect(value("kind", "cheque") == nil)
        #expect(value("name", "  two \n\t words ") == "two words")
    }

    @Test(
        "R46 links to the web may be shown",
        arguments: [
            "https://swift.org", "http://example.com/a?b#c", "HTTPS://Sub.Domain.co.uk:8443/x", "https://8.8.8.8/",
            "https://xn--bcher-kva.de", "https://[2606:4700:4700::1111]/",
        ])
    func links(text: String) throws {
        #expect(try SafeLink(" \(text) ").text == text)
    }

    @Test(
        "R46 links with another scheme, with somebody's name, or to here are refused",
        arguments: [
            "", "swift.org", "ftp://a.com", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//a.com",
            "https://", "https:///a", "https://user@a.com", "https://user:secret@a.com", "https://a.com\\@b.com",
            "http://localhost", "http://a.localhost", "http://router", "http://nas.local", "http://db.internal",
            "http://x.home.arpa", "http://127.0.0.1", "http://127.1", "http://2130706433", "http://0x7f.0.0.1",
            "http://0177.0.0.1", "http://0.0.0.0", "http://10.1.2.3", "http://172.16.0.1", "http://172.31.255.255",
            "http://192.168.1.1", "http://169.254.169.254/latest", "http://100.64.0.1", "http://224.0.0.1",
            "http://255.255.255.255", "http://1.2.3.4.5", "http://256.1.1.1", "http://[::1]", "http://[::]",
            "http://[fe80::1]", "http://[fc00::1]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]",
            "http://[64:ff9b::7f00:1]", "http://[2002:7f00:1::]", "http://[2001:db8::1]", "http://[1::2::3]",
            "http://[",
            "http://a..com", "http://a.com:99999", "http://a.com:x", "http://a.com:0", "http://１２７.0.0.1",
            "http://a%2ecom",
            "http://a b.com", "https://a.com/\u{7}", "http://localhost.", "http://127.0.0.1.",
        ])
    func unsafeLinks(text: String) {
        #expect(throws: ValidationFailure.unsafeLink) { try SafeLink(text) }
    }
}
