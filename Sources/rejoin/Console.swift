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

    /// Reads a secret: twice from a terminal, which shows nothing of it, or one line of what was handed in.
    ///
    /// - Returns: nil where nothing came, or two different ones.
    static func readSecret(_ prompt: String, again: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine().flatMap { $0.isEmpty ? nil : $0 } }
        guard let first = readUnseen(prompt), let second = readUnseen(again) else { return nil }
        return first == second && !first.isEmpty ? first : nil
    }

    private static func readUnseen(_ prompt: String) -> String? {
        var terminal = termios()
        guard tcgetattr(STDIN_FILENO, &terminal) == 0 else { return nil }
        var silent = terminal
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)
        // What was typed ahead was seen already; it is not taken for the secret.
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal) }
        put(prompt)
        return readLine()
    }

    /// Leaves with a status after words on standard error.
    static func exit(_ status: Int32, saying message: some CustomStringConvertible) -> Never {
        say(message)
        exitProcess(status)
    }

    /// Writes a line on standard error.
    static func say(_ message: some CustomStringConvertible) { put("\(message)\n") }

    private static func put(_ text: String) {
        var line = text
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
