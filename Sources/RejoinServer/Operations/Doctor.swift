internal import Foundation
internal import Glibc

/// Looks at everything that a server needs before it can start, and says what is wrong in plain words.
package struct Doctor: Sendable {
    /// What one look found.
    package struct Finding: Equatable, Sendable {
        /// How bad it is.
        package enum Verdict: String, Sendable { case fine, warning, broken }

        /// What was looked at.
        package var subject: String
        package var verdict: Verdict
        /// What was found and, where something is wrong, what to do.
        package var words: String
    }

    private let configuration: Configuration

    package init(_ configuration: Configuration) { self.configuration = configuration }

    /// Less room than this is worth a warning, and less than a tenth of it stops a server soon.
    private static let littleRoom = 1 << 30

    /// All findings, in the order in which a start would meet them.
    package func examine() -> [Finding] {
        let isServing = isServerRunning()
        return [folder(), database(), room(), address(isServing)] + models() + [backups()].compactMap { $0 }
    }

    private func finding(_ subject: String, _ verdict: Finding.Verdict, _ words: String) -> Finding {
        Finding(subject: subject, verdict: verdict, words: words)
    }

    // MARK: The data folder

    private func folder() -> Finding {
        let path = configuration.dataFolder
        var status = stat()
        guard stat(path, &status) == 0 else {
            return finding("data folder", .fine, "\(path) is not there yet; \"rejoin serve\" makes it.")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return finding("data folder", .broken, "\(path) is not a folder. Name another with --data.")
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            return finding("data folder", .broken, "\(path) cannot be written by this user.")
        }
        guard status.st_mode & 0o077 == 0 else {
            return finding("data folder", .warning, "Others can look into \(path). Close it: chmod 700 '\(path)'")
        }
        return finding("data folder", .fine, path)
    }

    private func database() -> Finding {
        let path = DataFolder.database(in: configuration.dataFolder)
        guard access(path, F_OK) == 0 else {
            return finding("database", .fine, "There is none yet; the first start makes it.")
        }
        if let fault = DatabaseBackup.fault(in: path) { return finding("database", .broken, fault) }
        return finding("database", .fine, "Read from end to end, nothing damaged.")
    }

    private func room() -> Finding {
        var path = configuration.dataFolder
        while access(path, F_OK) != 0, path.count > 1 {
            path = URL(filePath: path).deletingLastPathComponent().path()
            if path.hasSuffix("/"), path.count > 1 { path.removeLast() }
        }
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return finding("disk", .warning, "How much is free cannot be read.") }
        let free = Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
        let words = "\(free / 1_000_000) MB are free."
        if free < Self.littleRoom / 10 { return finding("disk", .broken, words + " That is too little: make room.") }
        return finding("disk", free < Self.littleRoom ? .warning : .fine, words)
    }

    /// Whether a server holds the data folder.
    private func isServerRunning() -> Bool {
        let descriptor = open(configuration.dataFolder + "/serve.lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    // MARK: The address

    private func address(_ isServing: Bool) -> Finding {
        let listen = configuration.listen
        if isServing { return finding("address", .fine, "A server is running on this data folder.") }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(listen.host, String(listen.port), &hints, &list) == 0, let first = list?.pointee else {
            return finding("address", .broken, "\(listen.host) is no address of this machine.")
        }
        defer { freeaddrinfo(list) }
        let descriptor = socket(first.ai_family, first.ai_socktype, 0)
        guard descriptor >= 0 else { return finding("address", .broken, "\(listen) cannot be used here.") }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
            let words =
                switch errno {
                case EADDRINUSE: "\(listen) is taken by another program. Stop it, or choose another with --listen."
                case EACCES: "\(listen) needs rights that this user does not have. Choose a port above 1023."
                default: "\(listen) is no address of this machine. Choose another with --listen."
                }
            return finding("address", .broken, words)
        }
        return finding("address", .fine, "\(listen) is free.")
    }

    // MARK: Models and backups

    private func models() -> [Finding] {
        guard !configuration.models.isEmpty else {
            return [finding("models", .warning, "None is configured: nothing can answer. See \"rejoin model list\".")]
        }
        return configuration.models.map { model in
            let subject = "model \(model.name)"
            switch model.kind {
            case .llama(let llama): return file(llama.path, subject)
            case .openAI(let remote):
                return remote.apiKey == nil
                    ? finding(subject, .warning, "No key is set; most providers want one.")
                    : finding(subject, .fine, "A key is set. The provider was not asked.")
            }
        }
    }

    private func file(_ path: String, _ subject: String) -> Finding {
        guard let file = FileHandle(forReadingAtPath: path) else {
            return finding(subject, .broken, "\(path) cannot be read. Get it again: \"rejoin model get\".")
        }
        defer { try? file.close() }
        let magic = (try? file.read(upToCount: 4)) ?? Data()
        guard [UInt8](magic) == Array("GGUF".utf8) else {
            return finding(subject, .broken, "\(path) is not a model file, or not whole. Get it again.")
        }
        return finding(subject, .fine, path)
    }

    /// Archives that were never finished, from a process that died.
    private func backups() -> Finding? {
        let folder = DataFolder.archives(in: configuration.dataFolder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.contains(where: { $0.hasSuffix(".part") }), !isServerRunning() else { return nil }
        return finding("archives", .warning, "An export was cut short; it begins again with the next start.")
    }
}
