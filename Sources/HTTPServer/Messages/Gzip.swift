private import CDeflate

/// Compresses files that are served as they are.
package enum Gzip {
    /// Compresses as gzip, as small as it goes; nil where that failed.
    ///
    /// Equal input gives equal output (no time stamp is written), so that entity tags made from it stay the same. For
    /// files that are compressed once at the start, not for answers: libdeflate's highest level looks for the shortest
    /// form, a twentieth smaller than zlib's best.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        // Deflate adds five bytes a block of incompressible input, gzip 18 in all.
        let capacity = bytes.count + bytes.count / 1000 + 128
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = unsafe bytes.withUnsafeBytes { input in
                unsafe cdeflate_gzip(input.baseAddress, input.count, buffer.baseAddress, capacity)
            }
        }
        return compressed.isEmpty ? nil : compressed
    }
}
