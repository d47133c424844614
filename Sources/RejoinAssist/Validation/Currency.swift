/// A currency of ISO 4217, with the number of decimals that the standard gives it.
public struct Currency: Sendable, Hashable {
    /// The three capital letters of the standard.
    public let code: String
    /// How many decimals an amount has.
    public let decimals: Int

    /// Names a currency that is in use; letters in either case.
    ///
    /// Metals, units of account and codes that were withdrawn are none: nobody pays a bill with them.
    public init?(code: some StringProtocol) {
        let code = code.uppercased()
        guard let decimals = Self.decimals[code] else { return nil }
        self.code = code
        self.decimals = decimals
    }

    /// The currency that a sign stands for, where it stands for one alone: `$` and `¥` do not.
    init?(sign: String) {
        guard let code = Self.signs[sign] else { return nil }
        self.init(code: code)
    }

    /// Signs that several currencies share: they say that there is one, and not which.
    static let sharedSigns: Set<String> = ["$", "¥", "kr", "fr", "rs", "r$", "us$", "a$", "c$"]

    private static let signs = [
        "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "zł": "PLN", "₺": "TRY", "₴": "UAH", "₫": "VND",
        "₪": "ILS", "₦": "NGN", "₱": "PHP", "฿": "THB", "kč": "CZK", "ft": "HUF", "₸": "KZT", "₾": "GEL", "₡": "CRC",
    ]

    /// ISO 4217, list one of January 2026, by number of decimals.
    private static let decimals: [String: Int] = {
        var decimals: [String: Int] = [:]
        for (count, codes) in [0: withoutDecimals, 2: withTwo, 3: withThree, 4: withFour] {
            for code in codes.split(separator: " ") { decimals[String(code)] = count }
        }
        return decimals
    }()

    private static let withoutDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    private static let withThree = "BHD IQD JOD KWD LYD OMR TND"
    private static let withFour = "CLF UYW"
    private static let withTwo = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
        CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD \
        HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK \
        MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD \
        RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH \
        USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
        """
}

/// An amount of money in whole units of the currency's smallest part, so that nothing is ever rounded.
public struct Money: Sendable, Hashable {
    /// The currency.
    public let currency: Currency
    /// The amount: cents for the euro, whole yen for the yen; never below nothing.
    public let minorUnits: Int

    /// Names an amount; `nil` below nothing.
    public init?(_ minorUnits: Int, _ currency: Currency) {
        guard minorUnits >= 0 else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }
}

extension Money: CustomStringConvertible {
    /// The amount with a point, then the code: `12.50 EUR`.
    public var description: String {
        guard currency.decimals > 0 else { return "\(minorUnits) \(currency.code)" }
        let digits = String(minorUnits)
        let padded = String(repeating: "0", count: max(0, currency.decimals + 1 - digits.count)) + digits
        return "\(padded.dropLast(currency.decimals)).\(padded.suffix(currency.decimals)) \(currency.code)"
    }
}
