import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// A fault of a client, which an attack must find.
enum AttackPlant: CaseIterable, Sendable {
    /// A transport resends a request whose connection was lost.
    case resendingTransport
    /// A transport calls a lost connection one that was not made.
    case unreachableTransport
    /// A transport sends a request although its caller is cancelled, and late.
    case lateTransport
    /// A transport follows redirects with all fields.
    case redirectingTransport
    /// A transport adds a field.
    case addingTransport
    /// A transport loses the key.
    case keylessTransport
    /// A transport loses the body of a 401.
    case silencingTransport
    /// A transport gives a caller the response to another request.
    case mixingTransport
    /// A middleware repeats every lost request.
    case resendingMiddleware
    /// A middleware calls a lost request refused.
    case refusingMiddleware
    /// A middleware gives each attempt another key.
    case keyChangingMiddleware
    /// A middleware puts the body into its error.
    case leakingMiddleware
    /// The app calls every failure of a mutation a refusal.
    case refusingStore

    /// The rule that the fault breaks.
    var rule: String {
        switch self {
        case .resendingTransport, .resendingMiddleware, .refusingMiddleware, .refusingStore: "N23"
        case .unreachableTransport: "D26"
        case .lateTransport: "N22"
        case .redirectingTransport: "N29"
        case .addingTransport, .keylessTransport: "N34"
        case .keyChangingMiddleware: "D27"
        case .silencingTransport: "N26"
        case .mixingTransport: "N9"
        case .leakingMiddleware: "N28"
        }
    }

    var isRejection: ((any Error) -> Bool)? { self == .refusingStore ? { _ in true } : nil }

    func addMiddleware(to options: inout NetworkOptions) {
        switch self {
        case .resendingMiddleware:
            options.intercept { request, body, _, next in
                do { return try await next(request, body) } catch { return try await next(request, body) }
            }
        case .refusingMiddleware:
            options.intercept { request, body, _, next in
                do { return try await next(request, body) } catch {
                    throw NetworkError(.rejected, message: "lost", status: .notFound)
                }
            }
        case .keyChangingMiddleware:
            options.intercept { request, body, _, next in
                var request = request
                if request.headerFields[.idempotencyKey] != nil {
                    request.headerFields[.idempotencyKey] = UUID().uuidString
                }
                return try await next(request, body)
            }
        case .leakingMiddleware:
            options.intercept { request, body, _, next in
                do { return try await next(request, body) } catch {
                    let text = String(decoding: body ?? Data(), as: UTF8.self)
                    throw NetworkError(.middlewareFailed, message: "lost \(text)")
                }
            }
        default: break
        }
    }

    func transport(over wire: AttackWire, _ clock: ManualClock) -> any NetworkTransport {
        let lastReply = Locked<(HTTPResponse, Data)?>(nil)
        return BrokenTransport { request, body, limit in
            var request = request
            let send: @Sendable (HTTPRequest) async throws -> (HTTPResponse, Data) = {
                try await wire.send($0, body: body, responseLimit: limit)
            }
            switch self {
            case .resendingTransport:
                do { return try await send(request) } catch is AttackWire.ConnectionLost {
                    return try await send(request)
                }
            case .unreachableTransport:
                do { return try await send(request) } catch is AttackWire.ConnectionLost {
                    throw URLError(.cannotConnectToHost)
                }
            case .lateTransport:
                let late = request
                return try await Task.detached {
                    await SeededExecution.letPass(.milliseconds(100), on: clock)
                    return try await send(late)
                }.value
            case .redirectingTransport:
                let (response, data) = try await send(request)
                guard (300..<400).contains(response.status.code) else { return (response, data) }
                request.authority = "evil.test"
                return try await send(request)
            case .addingTransport:
                request.headerFields[.contentType] = "application/x-www-form-urlencoded"
                return try await send(request)
            case .keylessTransport:
                request.headerFields[.idempotencyKey] = nil
                return try await send(request)
            case .silencingTransport:
                let (response, data) = try await send(request)
                return (response, response.status.code == 401 ? Data() : data)
            case .mixingTransport:
                let answer = try await send(request)
                return lastReply.withLock { last in
                    defer { last = answer }
                    return last ?? answer
                }
            default: return try await send(request)
            }
        }
    }
}

/// A transport that is a function.
private struct BrokenTransport: NetworkTransport {
    let body: @Sendable (HTTPRequest, Data?, Int) async throws -> (HTTPResponse, Data)

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        try await self.body(request, body, responseLimit)
    }
}
