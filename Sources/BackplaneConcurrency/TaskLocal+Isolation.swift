extension TaskLocal {
    /// Runs `operation` with another value, on the actor of the caller.
    ///
    /// The function of the standard library runs an `operation` that it is given elsewhere.
    package func with<Result>(
        _ value: Value,
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await withValue(value) {
            // A closure that captures the caller's actor runs on it.
            _ = isolation
            return try await operation()
        }
    }
}
