/// A closure that receives the result of a request, for callers without `async`.
///
/// It is called exactly once. A cancelled request gets a failure with the code
/// ``NetworkError/Code/cancelled``.
public typealias NetworkResultHandler<T> = (Result<T, NetworkError>) -> Void

extension Result where Failure == NetworkError {
    /// Returns the result of `request`, for a handler that is called directly afterward.
    static func ofRequest(_ request: () async throws -> Success) async -> Self {
        do {
            let response = try await request()
            // A caller may cancel on the handler's actor after the response arrives. The handler
            // must not receive the response then.
            try Task.checkCancellation()
            return .success(response)
        } catch let error as NetworkError {
            return .failure(error)
        } catch {
            return .failure(.cancelled)
        }
    }
}
