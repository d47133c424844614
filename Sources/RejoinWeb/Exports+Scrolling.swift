#if arch(wasm32)
import RejoinCore

/// The one conversation that is scrolled.
///
/// The page reports lengths; whether to follow or to stay is decided here.
///
/// SAFETY: a WebAssembly instance in a page has one thread.
nonisolated(unsafe) private var position = ScrollPosition(slack: 48)

/// The reader scrolled to an offset.
@_expose(wasm, "rejoin_scrolled")
@_cdecl("rejoin_scrolled")
public func scrolled(_ offset: Double) { position.scroll(to: offset) }

/// The text or the window has another height.
///
/// - Returns: the offset where the view belongs.
@_expose(wasm, "rejoin_resized")
@_cdecl("rejoin_resized")
public func resized(_ length: Double, _ window: Double, _ growthAbove: Double) -> Double {
    position.resize(window: window)
    position.resize(to: length, growthAbove: growthAbove)
    return position.offset
}

/// The reader wants to see the end.
@_expose(wasm, "rejoin_jump")
@_cdecl("rejoin_jump")
public func jump() { position.jump() }

/// Whether the view follows the end.
@_expose(wasm, "rejoin_follows")
@_cdecl("rejoin_follows")
public func follows() -> Bool { position.mode == .following }
#endif
