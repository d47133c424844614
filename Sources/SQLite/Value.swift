/// A value to bind to a statement.
package enum Value: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    /// Binds a whole number.
    package static func integer(_ value: Int) -> Value { .integer(Int64(value)) }

    /// Binds a truth value as 0 or 1.
    package static func bool(_ value: Bool) -> Value { .integer(value ? 1 as Int64 : 0) }
}
