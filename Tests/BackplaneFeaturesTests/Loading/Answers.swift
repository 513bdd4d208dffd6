import BackplaneTesting

/// The error of a failed load in these tests.
struct Failure: Error {}

/// A load closure that ends each call when the test says so, and that ignores cancellation.
@MainActor final class Answers {
    private(set) var calls: [Int] = []
    private(set) var cancelled: [Int] = []
    private var latches: [Int: AsyncLatch] = [:]
    private var exits: [Int: AsyncLatch] = [:]
    private var results: [Int: Result<String, any Error>] = [:]

    func load(_ id: Int) async throws -> String {
        MainActor.assertIsolated("A loader's closure runs on the loader's actor.")
        let call = calls.count
        calls.append(id)
        await latch(call).wait()
        defer { exit(call).open() }
        if Task.isCancelled { cancelled.append(call) }
        return try results[call]?.get() ?? ""
    }

    func answer(_ call: Int, _ result: Result<String, any Error>) {
        results[call] = result
        latch(call).open()
    }

    /// Waits until the given call has entered the closure.
    func arrival(_ call: Int) async {
        await latch(call).arrivals(atLeast: 1)
    }

    /// Waits until the closure has returned from the call and the loader has received the result.
    ///
    /// The closure's task continues into the loader without suspending. A main-actor task that this
    /// method resumes therefore runs after the loader has received the result.
    func departure(_ call: Int) async {
        await exit(call).wait()
    }

    private func latch(_ call: Int) -> AsyncLatch {
        let latch = latches[call, default: AsyncLatch()]
        latches[call] = latch
        return latch
    }

    private func exit(_ call: Int) -> AsyncLatch {
        let latch = exits[call, default: AsyncLatch()]
        exits[call] = latch
        return latch
    }
}
