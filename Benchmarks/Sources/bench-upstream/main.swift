import BenchCore
import BenchSystem

// bench-upstream [--port N]: prints its address and serves until it is ended.
do {
    let options = try Options(CommandLine.arguments.dropFirst(), known: ["port"])
    let server = try UpstreamServer(
        port: UInt16(clamping: try options.number("port", default: 0)), clock: MonotonicClock())
    print("http://127.0.0.1:\(server.port)")
    flushOutput()
    server.run()
} catch {
    print("bench-upstream: \(error)")
    leave(2)
}
