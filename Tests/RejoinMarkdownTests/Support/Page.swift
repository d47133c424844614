import RejoinMarkdown

/// A page as a browser would hold it: elements, texts, and the patches that change them.
final class Page {
    final class Element {
        var name: String
        var attributes: [(name: String, value: String)]
        var children: [Element] = []
        /// Of a text: the name is empty.
        var text = ""
        weak var parent: Element?

        init(name: String, attributes: [(name: String, value: String)] = [], text: String = "") {
            self.name = name
            self.attributes = attributes
            self.text = text
        }

        func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

        func add(_ child: Element) {
            child.parent = self
            children.append(child)
        }
    }

    let root = Element(name: "root")
    /// What a patch named and the page does not have.
    private(set) var missing: [String] = []

    init() {}

    init(_ html: [UInt8]) { for child in Self.parse(html) { root.add(child) } }

    func apply(_ patch: HTMLPatch) {
        switch patch {
        case .remove(let id):
            guard let element = find("data-block", id) else { return }
            element.parent?.children.removeAll { $0 === element }
        case .replace(let id, let html):
            guard let element = find("data-block", id), let parent = element.parent,
                let place = parent.children.firstIndex(where: { $0 === element })
            else { return }
            let new = Self.parse(html)
            parent.children.replaceSubrange(place...place, with: new)
            for child in new { child.parent = parent }
        case .lines(let id, let kept, let html):
            guard let element = find("data-inside", id) else { return }
            if element.children.count < kept { missing.append("line \(kept) of \(id)") }
            element.children.removeLast(max(0, element.children.count - kept))
            for child in Self.parse(html) { element.add(child) }
        case .loosen(let id, let isLoose):
            guard let element = find("data-block", id) else { return }
            element.attributes.removeAll { $0.name == "class" }
            if !isLoose {
                element.attributes.insert(
                    ("class", "tight"), at: element.name == "ul" ? 0 : min(1, element.attributes.count))
            }
        case .append(let id, let html):
            guard let element = id == 0 ? root : find("data-inside", id) else { return }
            for child in Self.parse(html) { element.add(child) }
        }
    }

    private func find(_ attribute: String, _ id: BlockID) -> Element? {
        var stack = [root]
        while let element = stack.popLast() {
            if element.attribute(attribute) == String(id) { return element }
            stack += element.children
        }
        missing.append("\(attribute) \(id)")
        return nil
    }

    /// The page as text, for comparing.
    var html: String { root.children.map(Self.html(of:)).joined() }

    private static func html(of element: Element) -> String {
        if element.name.isEmpty { return element.text }
        let attributes = element.attributes.sorted { $0.name < $1.name }.map { " \($0.name)=\"\($0.value)\"" }.joined()
        return "<\(element.name)\(attributes)>" + element.children.map(html(of:)).joined() + "</\(element.name)>"
    }

    /// All the text on the page.
    var text: String { Self.text(of: root) }

    private static func text(of element: Element) -> String {
        element.text + element.children.map(text(of:)).joined()
    }

    /// Every element.
    var elements: [Element] {
        var found: [Element] = []
        var stack = [root]
        while let element = stack.popLast() {
            if !element.name.isEmpty { found.append(element) }
            stack += element.children
        }
        return found
    }

    private static let empty: Set<String> = ["br", "hr", "input"]

    /// Reads what the writer writes, and nothing that it should not: anything else becomes an element `broken`.
    private static func parse(_ html: [UInt8]) -> [Element] {
        let top = Element(name: "top")
        var open = [top]
        var position = 0
        func broken() { top.add(Element(name: "broken")) }
        while position < html.count {
            guard html[position] == UInt8(ascii: "<") else {
                let start = position
                while position < html.count, html[position] != UInt8(ascii: "<") { position += 1 }
                open[open.count - 1].add(Element(name: "", text: unescaped(html[start..<position])))
                continue
            }
            guard let end = html[position...].firstIndex(of: UInt8(ascii: ">")) else {
                broken()
                break
            }
            let tag = String(decoding: html[(position + 1)..<end], as: UTF8.self)
            position = end + 1
            if tag.hasPrefix("/") {
                if open.count > 1, open[open.count - 1].name == tag.dropFirst() { open.removeLast() } else { broken() }
                continue
            }
            let element = Element(name: String(tag.prefix { $0 != " " }), attributes: attributes(tag))
            open[open.count - 1].add(element)
            if !empty.contains(element.name) { open.append(element) }
        }
        if open.count != 1 { broken() }
        return top.children
    }

    private static func attributes(_ tag: String) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var rest = tag.drop { $0 != " " }
        while true {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { return found }
            let name = String(rest.prefix { $0 != "=" && $0 != " " })
            rest = rest.dropFirst(name.count)
            guard rest.hasPrefix("=\"") else {
                found.append((name, ""))
                continue
            }
            let value = String(rest.dropFirst(2).prefix { $0 != "\"" })
            rest = rest.dropFirst(value.count + 3)
            found.append((name, value))
        }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
    }
}
