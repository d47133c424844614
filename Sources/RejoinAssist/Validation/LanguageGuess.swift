/// A light guess at what language a text is in: enough to notice that a model answered in another, and no more.
///
/// First the script counts: text that is mostly Cyrillic is not Greek. Within the Latin script the short words that every
/// sentence has are counted, for a few languages; where none is clearly ahead, or the text is short, nothing is said.
/// So a change is reported where it is plain, and a doubtful case passes.
struct LanguageGuess: Equatable {
    /// A script, as far as it tells languages apart.
    enum Script: Hashable, CaseIterable {
        case latin, cyrillic, greek, arabic, hebrew, devanagari, thai, hangul, kana, han
    }

    /// The script of most letters; `nil` where there are hardly any.
    let script: Script?
    /// A language of the Latin script that is clearly ahead.
    let language: String?

    init(_ text: String) {
        var counts: [Script: Int] = [:]
        for scalar in text.unicodeScalars {
            if let script = Self.script(of: scalar) { counts[script, default: 0] += 1 }
        }
        // Japanese mixes: a fair part of kana decides.
        let total = counts.values.reduce(0, +)
        if let kana = counts[.kana], kana * 8 > total {
            script = .kana
        } else if let most = counts.max(by: { $0.value < $1.value }), most.value >= 2, most.value * 2 > total {
            script = most.key
        } else {
            script = nil
        }
        language = script == .latin ? Self.latinLanguage(of: text) : nil
    }

    /// Whether another text is plainly in another language.
    func isPlainlyOther(than other: LanguageGuess) -> Bool {
        if let script, let others = other.script, script != others { return true }
        if let language, let others = other.language { return language != others }
        return false
    }

    /// The language in words for a model.
    var name: String? {
        let names = [
            "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
            "nl": "Dutch", "sv": "Swedish", "pl": "Polish",
        ]
        return language.flatMap { names[$0] }
    }

    private static func latinLanguage(of text: String) -> String? {
        var scores: [String: Int] = [:]
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter && $0 != "'" }).prefix(400) {
            for language in languages[String(word), default: []] { scores[language, default: 0] += 1 }
        }
        let ranked = scores.sorted { $0.value > $1.value }
        guard let first = ranked.first, first.value >= 2 else { return nil }
        let second = ranked.dropFirst().first?.value ?? 0
        return first.value >= second * 2 ? first.key : nil
    }

    private static let languages: [String: [String]] = {
        let words = [
            "en":
                "the and is are was were of to that this with for you your we have has not it be will would from they my please",
            "de":
                "der die das und ist sind war nicht ein eine einen ich du wir sie mit für auf dem den zu von bitte auch wird",
            "fr":
                "le la les et est sont des une un du que qui dans pour pas vous nous je il elle avec sur ce cette votre",
            "es": "el los las y es son una un que en por para no con se del su como más pero muy está usted por favor",
            "it": "il lo gli e è sono una un che in per non con si del della come più ma molto sua questo anche",
            "pt": "o os as e é são uma um que em por para não com se do da como mais mas muito você está seu",
            "nl": "de het een en is zijn was niet ik je wij met voor op van te dat die ook wordt naar aan u",
            "sv": "och det att är en ett inte jag du vi med för på av som den till har kan",
            "pl": "i w nie na się jest to że z do jak ale po co tak za od dla są",
        ]
        var languages: [String: [String]] = [:]
        for (language, list) in words {
            for word in Set(list.split(separator: " ")) { languages[String(word), default: []].append(language) }
        }
        return languages
    }()

    private static func script(of scalar: Unicode.Scalar) -> Script? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
        case 0x400...0x52F: .cyrillic
        case 0x590...0x5FF: .hebrew
        case 0x600...0x6FF, 0x750...0x77F: .arabic
        case 0x900...0x97F: .devanagari
        case 0xE00...0xE7F: .thai
        case 0x1100...0x11FF, 0xAC00...0xD7AF: .hangul
        case 0x3040...0x30FF: .kana
        case 0x3400...0x9FFF, 0x20000...0x3FFFF: .han
        default: nil
        }
    }
}
