internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Keeps two processes from fetching the same model into the same file.
///
/// The system releases it with the process.
struct FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `busy` if another has it, `folderUnusable` if its file cannot be made.
    init(_ path: String) throws(ModelFetchError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ModelFetchError(.folderUnusable) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ModelFetchError(.busy)
        }
    }

    /// Lets others at it.
    func release() {
        // A program that is just being started has a copy of the descriptor for a moment: closing ours is not enough.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
