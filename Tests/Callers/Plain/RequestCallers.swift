import BackplaneNetworking
import Foundation
import HTTPTypes
import Testing

private struct Note: Codable, Sendable, Equatable {
    let text: String
}

private struct Problem: Error, Decodable {
    let title: String
}

/// A transport that requires a user agent, fails its first request with 503, and then returns a
/// note.
private actor NoteService: NetworkTransport {
    private(set) var requests: [HTTPRequest] = []

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        requests.append(request)
        guard request.headerFields[.userAgent] == "callers" else {
            return (HTTPResponse(status: .forbidden), Data(#"{"title":"nobody's request"}"#.utf8))
        }
        if requests.count == 1 { return (HTTPResponse(status: .serviceUnavailable), Data()) }
        let fields: HTTPFields = [.eTag: "\"1\""]
        return (HTTPResponse(status: .ok, headerFields: fields), Data(#"{"text":"hi"}"#.utf8))
    }
}

private struct UserAgent: NetworkMiddleware {
    func intercept(
        _ request: HTTPRequest,
        body: Data?,
        context: NetworkRequestContext,
        next: NetworkMiddleware.Next
    ) async throws -> (HTTPResponse, Data) {
        #expect(context.endpoint.hasPrefix("GET /"))
        #expect(context.remainingTime <= .seconds(30))
        _ = context.clock
        var request = request
        request.headerFields[.userAgent] = "callers"
        return try await next(request, body)
    }
}

private struct NoteLoader {
    var networking: NonAuthenticatedNetworkController

    func load(_ id: Int, isolation: isolated any Actor = #isolation, then handler: @escaping NetworkResultHandler<Note>)
    {
        networking.request(.note(id), then: handler)
    }
}

extension Endpoint where Access == NonAuthenticatedNetworkController, Response == Note {
    fileprivate static func note(_ id: Int) -> Self {
        Endpoint(.get("notes/\(id)", query: ["full": true, "page": id]))
    }
}

struct RequestCallers {
    private let url = URL(string: "https://api.example/v1") ?? URL(fileURLWithPath: "/")

    @Test func `a request passes middlewares, is retried, and is cached`() async throws {
        var options = NetworkOptions()
        let retry = RetryMiddleware(
            attempts: 2,
            backoff: .zero,
            longestBackoff: .zero,
            reserve: 5,
            retriesPerSuccess: 0.5,
            jitter: { $0 }
        )
        options.middlewares = [retry, UserAgent()]
        options.intercept { request, body, context, next in
            let (response, data) = try await next(request, body)
            return (response, data)
        }
        options.errorType = Problem.self
        options.cache = .memory(limit: 1024)
        let transport = NoteService()
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: transport, options: options)
        let endpoint = NonAuthenticatedEndpoint<Note>.note(1).cached(for: .seconds(60)).timeout(.seconds(30))
            .idempotencyKey("1").errors(as: Problem.self)
        #expect(try await service.request(endpoint) == Note(text: "hi"))
        #expect(try await service.request(endpoint) == Note(text: "hi"))
        #expect(await transport.requests.count == 2)
        options.middlewares = [RetryMiddleware()]
    }

    @Test func `a rejection contains the decoded error of the server`() async throws {
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: NoteService())
        do {
            _ = try await service.request(.note(1).errors(as: Problem.self))
        } catch let error as NetworkError {
            #expect((error.cause as? Problem)?.title == "nobody's request")
            #expect(![.originChanged, .middlewareFailed, .cancelled].contains(error.code))
        }
    }

    @MainActor
    @Test func `a handler receives the result on the actor of the caller`() async throws {
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: NoteService())
        let account = AuthenticatedNetworkController(
            over: service,
            tokens: NetworkTokens(access: AccessToken(rawValue: "a"))
        ) { _ in NonAuthenticatedEndpoint(.post("token")) }
        var codes: [NetworkError.Code] = []
        let task: Task<Void, Never> = service.request(.note(1)) { result in
            if case .failure(let error) = result { codes.append(error.code) }
        }
        await task.value
        await account.request(AuthenticatedEndpoint<Note>(.get("note"))) { result in
            if case .failure(let error) = result { codes.append(error.code) }
        }.value
        let cancelled = account.request(AuthenticatedEndpoint<Note>(.get("note"))) { _ in }
        cancelled.cancel()
        await cancelled.value
        NoteLoader(networking: service).load(1) { result in
            codes.append((try? result.get()) == nil ? .rejected : .cancelled)
        }
        #expect(codes == [.rejected, .rejected])
    }
}
