#if !hasFeature(Embedded)
/// Finds the name that was probably meant by one that is not known: of a command, an option, a key of the configuration.
package enum NearestName {
    /// The candidate with the fewest letters to add and remove, or nil if none is near enough to be a slip.
    package static func of(_ written: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (name: $0, edits: written.difference(from: $0).count) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= max(2, written.count / 3) else {
            return nil
        }
        return best.name
    }

    /// `; did you mean "…"?` with quotes, or nothing.
    package static func hint(for written: String, among candidates: [String]) -> String {
        of(written, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }
}
#endif
