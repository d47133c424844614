/// The addresses of links on a screen, by the small numbers that cells hold.
package struct LinkTable: Equatable, Sendable {
    private var numbers: [String: UInt16] = [:]
    private var addresses: [String] = []
    /// Counts how often the table was emptied: numbers of different ages cannot be compared.
    package private(set) var age = 0

    /// An empty table.
    package init() {}

    /// The number of an address; 0 is no link.
    package mutating func number(of address: String) -> UInt16 {
        if let number = numbers[address] { return number }
        // Longer ones are cut or refused by terminals.
        guard address.utf8.count <= Self.longest, addresses.count < Int(UInt16.max) else { return 0 }
        addresses.append(address)
        let number = UInt16(addresses.count)
        numbers[address] = number
        return number
    }

    /// The address with a number; nil for 0.
    package func address(_ number: UInt16) -> String? {
        addresses.indices.contains(Int(number) - 1) ? addresses[Int(number) - 1] : nil
    }

    /// Forgets everything, if it has become much.
    package mutating func trim() {
        guard addresses.count > Self.kept else { return }
        numbers = [:]
        addresses = []
        age += 1
    }

    private static let kept = 4096
    private static let longest = 2000

    package static func == (left: LinkTable, right: LinkTable) -> Bool {
        left.age == right.age && left.addresses.count == right.addresses.count
    }
}
