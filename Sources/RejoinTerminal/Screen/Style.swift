/// How a cell looks, in terms that every terminal knows.
package struct Style: Equatable, Hashable, Sendable {
    /// The sixteen colours; what they look like is the terminal's affair.
    package enum Colour: UInt8, CaseIterable, Sendable {
        case black, red, green, yellow, blue, magenta, cyan, white
        case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
    }

    /// What can be said without colour.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let italic = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
        package static let reverse = Attributes(rawValue: 16)
        package static let strikethrough = Attributes(rawValue: 32)
    }

    /// Nil is the terminal's own.
    package var foreground: Colour?
    /// Nil is the terminal's own.
    package var background: Colour?
    package var attributes: Attributes
    /// Where it leads, by its number in a ``LinkTable``; 0 is nowhere.
    package var link: UInt16 = 0

    /// Names a style; plain by default.
    package init(_ foreground: Colour? = nil, on background: Colour? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    package static let plain = Style()
    package static let bold = Style(nil, .bold)
    package static let dim = Style(nil, .dim)
    package static let reverse = Style(nil, .reverse)

    /// The same without colours, for `NO_COLOR`.
    var withoutColour: Style {
        var style = self
        (style.foreground, style.background) = (nil, nil)
        return style
    }

    /// The sequence that sets exactly this look, whatever was set before.
    var sequence: String {
        var codes = "0"
        if attributes.contains(.bold) { codes += ";1" }
        if attributes.contains(.dim) { codes += ";2" }
        if attributes.contains(.italic) { codes += ";3" }
        if attributes.contains(.underline) { codes += ";4" }
        if attributes.contains(.reverse) { codes += ";7" }
        if attributes.contains(.strikethrough) { codes += ";9" }
        if let foreground { codes += ";\(Self.code(foreground, base: 30))" }
        if let background { codes += ";\(Self.code(background, base: 40))" }
        return "\u{1B}[\(codes)m"
    }

    private static func code(_ colour: Colour, base: Int) -> Int {
        let number = Int(colour.rawValue)
        return number < 8 ? base + number : base + 60 + number - 8
    }
}
