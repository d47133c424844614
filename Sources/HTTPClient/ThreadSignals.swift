#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Keeps a write to a closed TLS connection from ending the process: this thread takes no `SIGPIPE`.
func blockPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
