import Rehearsal

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Reads the command line and plays until the process is ended.
func run() -> Int32 {
    var port = 0
    var scripts: [String: Script] = [:]
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
        switch option {
        case "--port":
            guard let value = arguments.popFirst().flatMap({ Int($0) }), (0..<65_536).contains(value) else {
                return complain("--port takes a number from 0 to 65535")
            }
            port = value
        case "--scripts":
            guard let path = arguments.popFirst(), let bytes = contents(of: path) else {
                return complain("--scripts takes a file that can be read")
            }
            do { scripts.merge(try Script.scripts(json: bytes)) { $1 } } catch { return complain("\(error)") }
        case "--help":
            print("usage: scripted-upstream [--port PORT] [--scripts FILE]\n\nmodels:\n\(Script.builtInNames)")
            return 0
        default: return complain("unknown option \(option); try --help")
        }
    }
    raiseDescriptorLimit()
    do {
        let upstream = try ScriptedUpstream(port: port, scripts: scripts)
        print("listening on 127.0.0.1:\(upstream.port)")
        fflush(nil)
        while true { pause() }
    } catch {
        return complain("the port cannot be had: \(error)")
    }
}

/// Says what is wrong.
func complain(_ text: String) -> Int32 {
    let line = Array("scripted-upstream: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    return 2
}

/// Reads a whole file.
func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
}

/// A thousand streams need more descriptors than a shell gives by default.
func raiseDescriptorLimit() {
    var limit = rlimit()
    #if canImport(Darwin)
    let resource = RLIMIT_NOFILE
    #else
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 1 << 16)
    setrlimit(resource, &limit)
}

exit(run())
