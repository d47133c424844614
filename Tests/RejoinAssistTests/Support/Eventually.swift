/// Waits until something is so, for at most ten seconds; says whether it came.
func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(10))
    while clock.now < deadline {
        if await condition() { return true }
        // Not a spin: whoever makes it so needs the processor.
        try? await clock.sleep(for: .milliseconds(1))
    }
    return await condition()
}
