import BackplaneNetworking
import HTTPTypes

/// The middlewares of a trace.
enum AttackMiddleware: CaseIterable, Sendable {
    case none
    case retry
    /// The retry middleware within a middleware of the app, which adds a field.
    case fieldAndRetry
    /// A middleware of the app that repeats a lost request if its method or its key permits that.
    case app
    /// A middleware of the app that tries a lost request at another server.
    case hopping
    /// A middleware of the app that names another virtual host.
    case host
}

extension AttackMiddleware {
    func make() -> [any NetworkMiddleware] {
        let retry = RetryMiddleware(budget: RetryBudget(reserve: 1000), jitter: { $0 * 0.5 })
        switch self {
        case .none: return []
        case .retry: return [retry]
        case .fieldAndRetry:
            return [
                .intercept { request, body, _, next in
                    var request = request
                    request.headerFields[.acceptLanguage] = "vi"
                    return try await next(request, body)
                },
                retry,
            ]
        case .app:
            return [
                .intercept { request, body, _, next in
                    let isSafe = ![.post, .patch].contains(request.method)
                    let key = request.headerFields[.idempotencyKey] ?? ""
                    do { return try await next(request, body) } catch {
                        guard isSafe || !key.isEmpty, !Task.isCancelled else { throw error }
                        return try await next(request, body)
                    }
                }
            ]
        case .hopping:
            return [
                .intercept { request, body, _, next in
                    do { return try await next(request, body) } catch {
                        guard !Task.isCancelled else { throw error }
                        var request = request
                        request.authority = "evil.test"
                        return try await next(request, body)
                    }
                }
            ]
        case .host:
            return [
                .intercept { request, body, _, next in
                    var request = request
                    request.headerFields[HTTPField.Name.hostField] = "evil.test"
                    return try await next(request, body)
                }
            ]
        }
    }
}
