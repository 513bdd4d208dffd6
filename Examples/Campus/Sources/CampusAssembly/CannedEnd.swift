/// The end of an account without a network, which any number of windows can await.
actor CannedEnd {
    private(set) var hasCome = false
    private var waiting: [Int: AsyncStream<Never>.Continuation] = [:]
    private var count = 0

    /// Ends the account.
    func come() {
        hasCome = true
        for waiting in waiting.values { waiting.finish() }
    }

    /// Waits until the account ends or the task is cancelled.
    func wait() async {
        guard !hasCome else { return }
        count += 1
        let number = count
        let (end, waiting) = AsyncStream<Never>.makeStream()
        self.waiting[number] = waiting
        for await _ in end {}
        self.waiting[number] = nil
    }
}
