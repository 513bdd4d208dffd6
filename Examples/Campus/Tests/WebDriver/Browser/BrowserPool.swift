import Foundation

/// The browsers that run or wait for their next test.
///
/// A test keeps a core busy. With more browsers than the machine can run, tests only time out.
actor BrowserPool {
    static let shared = BrowserPool()

    /// Whether the current task has a slot.
    @TaskLocal static var isUsed = false

    private static let slots = max(2, ProcessInfo.processInfo.activeProcessorCount)

    private var free = slots
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var parked: [RunningBrowser] = []

    /// Runs `body` when a slot is free, in the order of the calls.
    ///
    /// When all slots are free, no parked browser is left.
    nonisolated func withSlot<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        await takeSlot()
        do {
            let value = try await Self.$isUsed.withValue(true, operation: body)
            await giveBackSlot()
            return value
        } catch {
            await giveBackSlot()
            throw error
        }
    }

    /// Returns an empty browser with `options`: a parked one, or a new one.
    func take(_ options: BrowserOptions) async throws -> RunningBrowser {
        guard let index = parked.lastIndex(where: { $0.options == options }) else {
            return try await RunningBrowser(options)
        }
        let running = parked.remove(at: index)
        do {
            try await running.browser.reset()
            return running
        } catch {
            // A test may have closed the last window, for example.
            await running.kill()
            return try await RunningBrowser(options)
        }
    }

    /// Keeps `running` for the next test with its options.
    func park(_ running: RunningBrowser) async {
        parked.append(running)
        if parked.count > Self.slots { await parked.removeFirst().end() }
    }

    private func takeSlot() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Gives the slot to the task that has waited longest, or frees the slot.
    private func giveBackSlot() async {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
        guard free == Self.slots else { return }
        let unused = parked
        parked = []
        for running in unused { await running.end() }
    }
}

/// A browser that runs until it is told to end.
struct RunningBrowser: Sendable {
    let options: BrowserOptions
    let browser: Browser

    private let task: Task<Void, Never>
    private let stop: AsyncStream<Never>.Continuation

    init(_ options: BrowserOptions) async throws {
        let (started, start) = AsyncThrowingStream.makeStream(of: Browser.self)
        let (stopped, stop) = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            do {
                try await withStartedBrowser(options) { browser in
                    start.yield(browser)
                    for await _ in stopped {}
                    try Task.checkCancellation()
                }
                start.finish()
            } catch {
                start.finish(throwing: error)
            }
        }
        guard let browser = try await started.first(where: { _ in true }) else {
            task.cancel()
            await task.value
            throw CancellationError()
        }
        (self.options, self.browser, self.task, self.stop) = (options, browser, task, stop)
    }

    /// Ends the browser, and returns when it has ended.
    func end() async {
        stop.finish()
        await task.value
    }

    /// Ends the browser although a command may still run, and returns when it has ended.
    func kill() async {
        task.cancel()
        await task.value
    }
}
