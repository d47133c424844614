extension LanguageGuess {
    /// The language as telemetry may see it; a script that several languages share is `other`.
    var label: LanguageLabel {
        if let language { return LanguageLabel(tag: language) }
        return switch script {
        case .greek: .el
        case .arabic: .ar
        case .hebrew: .he
        case .devanagari: .hi
        case .thai: .th
        case .hangul: .ko
        case .kana: .ja
        case .han: .zh
        case .latin, .cyrillic, nil: .other
        }
    }
}
