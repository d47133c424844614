import PasskeyReading

/// Reads bytes as an authenticator's: nothing may trap, and what is read is made of no more than was there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPasskeys(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: min(count, 4096)))
    var rest = bytes[...]
    while !rest.isEmpty {
        let before = rest.count
        guard let value = try? CBORReader.read(from: &rest) else { break }
        precondition(rest.count < before, "A value was read from nothing.")
        precondition(size(of: value) <= before - rest.count, "A value is larger than its bytes.")
        _ = value.integer
        _ = value[-1]
        _ = value["fmt"]
    }
    if let object = AttestationObject(bytes) {
        precondition(object.authenticatorData.count < bytes.count, "Data came from nowhere.")
        check(object.authenticatorData)
    }
    check(bytes)
    return 0
}

private func check(_ bytes: [UInt8]) {
    guard let attested = AuthenticatorData(bytes)?.attested else { return }
    precondition(attested.credential.count + attested.keyBytes.count + 55 <= bytes.count, "A credential is too large.")
    precondition(
        (try? CBORReader.parse(attested.keyBytes[...])) == attested.key, "A key is not what its bytes say.")
}

/// The bytes that a value holds, at the least.
private func size(of value: CBORValue) -> Int {
    switch value {
    case .bytes(let bytes), .float(let bytes): 1 + bytes.count
    case .text(let text): 1 + text.utf8.count
    case .array(let values): values.reduce(1) { $0 + size(of: $1) }
    case .map(let entries): entries.reduce(1) { $0 + size(of: $1.key) + size(of: $1.value) }
    default: 1
    }
}
