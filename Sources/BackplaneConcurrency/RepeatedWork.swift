/// Work that runs once at a time, and once more if it is requested while it runs.
package struct RepeatedWork: Sendable {
    private var isRunning = false
    private var mustRepeat = false

    /// Creates work that does not run.
    package init() {}

    /// Notes a request, and returns whether the caller must start the work.
    package mutating func request() -> Bool {
        mustRepeat = isRunning
        defer { isRunning = true }
        return !isRunning
    }

    /// Notes the end of the work, and returns whether the caller must repeat it.
    package mutating func finish() -> Bool {
        isRunning = mustRepeat
        defer { mustRepeat = false }
        return mustRepeat
    }
}
