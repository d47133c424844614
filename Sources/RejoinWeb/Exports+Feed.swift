#if arch(wasm32)
import RejoinCore

// SAFETY: a WebAssembly instance in a page has one thread.
nonisolated(unsafe) private var feeds = Handles<EventStreamParser>()

/// Starts reading a stream of events whose data the page itself understands: the account's change feed.
@_expose(wasm, "rejoin_feed_open")
@_cdecl("rejoin_feed_open")
public func openFeed() -> Int32 { feeds.add(EventStreamParser()) }

/// Takes the next bytes and leaves the data of the events that are whole now, as a JSON array.
@_expose(wasm, "rejoin_feed_take")
@_cdecl("rejoin_feed_take")
public func takeFeed(_ handle: Int32, _ start: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
    let piece = bytes(start, count)
    return feeds.change(handle) { parser in
        var json = JSONWriter()
        json.beginArray()
        parser.feed(piece) { event in
            // An event that is no JSON is skipped: it is a hint, and there is nothing to hold it against.
            if let value = try? JSONReader.parse(event.data) { json.value(value) }
        }
        json.endArray()
        return leave(json.bytes)
    } ?? -1
}

/// Lets go of a stream.
@_expose(wasm, "rejoin_feed_close")
@_cdecl("rejoin_feed_close")
public func closeFeed(_ handle: Int32) { feeds.remove(handle) }
#endif
