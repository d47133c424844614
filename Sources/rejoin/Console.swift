#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the commands know of the terminal that they run in.
enum Console {
    /// Its width; 80 where standard output is no terminal.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Leaves with a status after words on standard error.
    static func exit(_ status: Int32, saying message: some CustomStringConvertible) -> Never {
        say(message)
        exitProcess(status)
    }

    /// Writes a line on standard error.
    static func say(_ message: some CustomStringConvertible) {
        var line = "\(message)\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = write(STDERR_FILENO, rest.baseAddress, rest.count)
                guard written > 0 else { break }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
        }
    }
}

/// Leaves with the exit code of a command that said what it had to say.
func leave(_ status: Int32) -> Never { exitProcess(status) }

/// Ends without the libraries' exit handlers: threads of theirs may still be at work on what those would take down.
private func exitProcess(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
}
