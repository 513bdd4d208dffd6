/// Whether an outer operation of the current task retries, so that inner operations do not retry.
///
/// Nested retries multiply: three tries of each of nine tries are 27 requests to a server that is
/// already in trouble (N18).
package enum Retrying {
    @TaskLocal package static var isUnderWay = false
}

extension Duration {
    /// Returns how long `error` asks to wait before the next try, at most one hour.
    package static func asked(for error: (any Error)?) -> Duration {
        min((error as? any ServerFailure)?.retryAfter ?? .zero, .seconds(3600))
    }
}
