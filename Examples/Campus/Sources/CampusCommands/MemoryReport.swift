import CHeap
import ServiceLifecycle
import UnixSignals

/// A service that prints a line of JSON with the size of the heap in use whenever the process
/// receives `SIGUSR2`.
///
/// `campus-load` reads these lines. Only the user who runs the process can send the signal. With a
/// C library that does not count, the size is 0.
struct MemoryReport: Service {
    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sigusr2).cancelOnGracefulShutdown() {
            announce(#"{"heapInUse":\#(heap_bytes_in_use())}"#)
        }
    }
}
