#if arch(wasm32)
/// Values that the page knows by a number.
///
/// A number that stands for nothing is answered, never trusted.
struct Handles<Value> {
    private var values: [Value?] = []

    /// Holds a value and gives its number.
    mutating func add(_ value: Value) -> Int32 {
        if let free = values.firstIndex(where: { $0 == nil }) {
            values[free] = value
            return Int32(truncatingIfNeeded: free)
        }
        values.append(value)
        return Int32(truncatingIfNeeded: values.count - 1)
    }

    /// Changes a value in place; nil where the number stands for nothing.
    mutating func change<Result>(_ handle: Int32, _ change: (inout Value) -> Result) -> Result? {
        let index = Int(handle)
        // Taken out while it changes, so that appending to what it holds copies nothing.
        guard values.indices.contains(index), var value = values[index] else { return nil }
        values[index] = nil
        let result = change(&value)
        values[index] = value
        return result
    }

    /// Lets go of a value.
    mutating func remove(_ handle: Int32) {
        if values.indices.contains(Int(handle)) { values[Int(handle)] = nil }
    }
}
#endif
