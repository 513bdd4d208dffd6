import BackplaneTesting

/// What a load fails with in these tests.
struct Failure: Error {}

/// Answers loads one by one, when the test says so, and ignores cancellation as the rudest closure would.
@MainActor final class Answers {
    private(set) var calls: [Int] = []
    private(set) var cancelled: [Int] = []
    private var gates: [Int: AsyncLatch] = [:]
    private var exits: [Int: AsyncLatch] = [:]
    private var results: [Int: Result<String, any Error>] = [:]

    func load(_ id: Int) async throws -> String {
        MainActor.assertIsolated("A loader's closure runs on the loader's actor.")
        let call = calls.count
        calls.append(id)
        await gate(call).wait()
        defer { exit(call).open() }
        if Task.isCancelled { cancelled.append(call) }
        return try results[call]?.get() ?? ""
    }

    func answer(_ call: Int, _ result: Result<String, any Error>) {
        results[call] = result
        gate(call).open()
    }

    /// Waits until the call with that number is in the closure.
    func arrival(_ call: Int) async {
        await gate(call).arrivals(atLeast: 1)
    }

    /// Waits until the closure has returned from that call and the loader has heard of it.
    ///
    /// The closure's task goes on to the loader without suspending, so whoever is resumed on the main actor by this
    /// runs after that.
    func departure(_ call: Int) async {
        await exit(call).wait()
    }

    private func gate(_ call: Int) -> AsyncLatch {
        let gate = gates[call, default: AsyncLatch()]
        gates[call] = gate
        return gate
    }

    private func exit(_ call: Int) -> AsyncLatch {
        let gate = exits[call, default: AsyncLatch()]
        exits[call] = gate
        return gate
    }
}
