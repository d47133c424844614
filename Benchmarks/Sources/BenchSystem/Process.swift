import Glibc

/// Sends what was printed so far on its way; a pipe would hold it back.
package func flushOutput() { fflush(nil) }

/// Ends the process.
package func leave(_ status: Int32) -> Never { exit(status) }
