/// The lines that a program has written to standard output and standard error so far.
public actor ProcessOutput {
    /// The lines, the oldest first.
    public private(set) var lines: [String] = []
    private var changes: [AsyncStream<Void>.Continuation] = []
    private var isComplete = false
    private let executable: String

    init(of executable: String) {
        self.executable = executable
    }

    func append(_ line: String) {
        lines.append(line)
        notify()
    }

    func complete() {
        isComplete = true
        notify()
    }

    private func notify() {
        for change in changes { change.finish() }
        changes = []
    }

    /// Waits until the lines meet `condition`, which is evaluated again for every line.
    ///
    /// - Throws: ``ChildProcessError`` if the program ends before that, and `CancellationError` if
    ///   the task is cancelled.
    public func wait(until condition: ([String]) -> Bool) async throws {
        while !condition(lines) {
            if isComplete { throw ChildProcessError(executable: executable, output: lines) }
            let (signals, signal) = AsyncStream<Void>.makeStream()
            changes.append(signal)
            for await _ in signals {}
            try Task.checkCancellation()
        }
    }
}
