/// Whether what a task does is tried again by somebody further out, so that whoever is further in leaves it at one try.
///
/// Retries of retries multiply: three tries of each of nine are 27 requests to a server that has trouble enough (N18).
package enum Retrying {
    @TaskLocal package static var isUnderWay = false
}

/// An error that says how long to wait before another try.
package protocol AsksToWait: Error {
    var retryAfter: Duration? { get }
}

extension Duration {
    /// How long `error` asks to wait before another try, an hour at most.
    package static func asked(for error: (any Error)?) -> Duration {
        min((error as? any AsksToWait)?.retryAfter ?? .zero, .seconds(3600))
    }
}
