/// What takes the result of a request, for callers without `async`.
///
/// It is called exactly once. A request that was cancelled comes to a failure with the code
/// ``NetworkError/Code/cancelled``.
public typealias NetworkResultHandler<T> = (Result<T, NetworkError>) -> Void

extension Result where Failure == NetworkError {
    /// What `request` comes to, for a handler that is called right after.
    static func ofRequest(_ request: () async throws -> Success) async -> Self {
        do {
            let response = try await request()
            // Whoever cancels on the handler's actor, even after the response is there, is not called with it any more.
            try Task.checkCancellation()
            return .success(response)
        } catch let error as NetworkError {
            return .failure(error)
        } catch {
            return .failure(.cancelled)
        }
    }
}
