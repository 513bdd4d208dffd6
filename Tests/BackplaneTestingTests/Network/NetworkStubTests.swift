import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct NetworkStubTests {
    struct User: Codable, Equatable {
        var name: String
    }

    let api = NetworkStub()

    private func service(_ options: NetworkOptions = NetworkOptions()) throws -> NonAuthenticatedNetworkController {
        try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api, options: options)
    }

    private func user(_ path: EndpointPath) -> NonAuthenticatedEndpoint<User> { NonAuthenticatedEndpoint(.get(path)) }

    @Test func `the stub selects a response by method and path`() async throws {
        api.respond(to: .get, "users/ada", with: .json(#"{"name": "Ada"}"#))
        api.respond(to: .post, "users/ada", with: .status(.internalServerError))
        api.respond(to: .get, "/users/grace", with: .json(#"{"name": "Grace"}"#, status: .created))
        let service = try service()
        #expect(try await service.request(user("users/ada")) == User(name: "Ada"))
        #expect(try await service.request(user("users/grace")) == User(name: "Grace"))
    }

    @Test func `an asterisk matches one segment, and a later response replaces an earlier one`() async throws {
        api.respond(to: .get, "users/*", with: .json(#"{"name": "Somebody"}"#))
        api.respond(to: .get, "users/ada", with: .json(#"{"name": "Ada"}"#))
        let service = try service()
        #expect(try await service.request(user("users/grace")).name == "Somebody")
        #expect(try await service.request(user("users/ada")).name == "Ada")
        api.respond(to: .get, "users/*", with: .json(#"{"name": "Anybody"}"#))
        #expect(try await service.request(user("users/ada")).name == "Anybody")
        let failures = await failuresLater { _ = try? await service.request(user("users/ada/friends")) }
        #expect(failures.count == 1)
    }

    @Test(.rule("N35"), arguments: [HTTPResponse.Status.ok, .noContent, .notModified])
    func `a response that cannot have a body has no body`(status: HTTPResponse.Status) async throws {
        let method: HTTPRequest.Method = status == .ok ? .head : .get
        api.respond(to: method, "users/ada", with: .json(#"{"name": "Ada"}"#, status: status))
        let request = HTTPRequest(method: method, url: api.baseURL.appending(path: "users/ada"))
        #expect(try await api.send(request, body: nil, responseLimit: 100).1.isEmpty)
    }

    @Test func `the stub records requests in order`() async throws {
        api.respond(to: .put, "users/*", with: .status(.noContent))
        let service = try service()
        var request = EndpointRequest.put("users/ada", body: .json(User(name: "Ada")))
        request.headers[.authorization] = "Bearer fresh"
        try await service.request(NonAuthenticatedEndpoint<Void>(request))
        try await service.request(NonAuthenticatedEndpoint<Void>(.put("users/grace", query: ["a": "b c"])))
        #expect(api.requests.map(\.description) == ["PUT /users/ada", "PUT /users/grace?a=b%20c"])
        #expect(api.requests.map(\.method) == [.put, .put])
        #expect(api.requests.map(\.query) == [nil, "a=b%20c"])
        #expect(api.requests.map(\.bearer) == ["fresh", nil])
        #expect(try api.requests[0].json(User.self) == User(name: "Ada"))
        #expect(api.requests[1].body == nil)
        #expect(throws: DecodingError.self) { try api.requests[1].json(User.self) }
    }

    @Test func `responses are returned in order, and the last one repeats`() async throws {
        let busy = StubbedResponse.status(
            .serviceUnavailable,
            headerFields: [.retryAfter: "1"],
            body: Data("busy".utf8)
        )
        api.respond(to: .get, "me", with: busy, .json(#"{"name": "Ada"}"#))
        let service = try service()
        let error = await networkError { try await service.request(user("me")) }
        #expect(error?.status == .serviceUnavailable)
        #expect(error?.body == Data("busy".utf8))
        #expect(try await service.request(user("me")).name == "Ada")
        #expect(try await service.request(user("me")).name == "Ada")
    }

    @Test func `a closure can inspect the request and return a response or throw`() async throws {
        api.respond(to: .get, "me") { request in
            guard let name = request.query?.split(separator: "=").last else { throw URLError(.notConnectedToInternet) }
            return .json(#"{"name": "\#(name)"}"#)
        }
        api.respond(to: .get, "gone", with: .failure(URLError(.networkConnectionLost)))
        let service = try service()
        let ada = NonAuthenticatedEndpoint<User>(.get("me", query: ["name": "Ada"]))
        #expect(try await service.request(ada).name == "Ada")
        let offline = await #expect(throws: NetworkError.self) { try await service.request(user("me")) }
        #expect((offline?.cause as? URLError)?.code == .notConnectedToInternet)
        let lost = await #expect(throws: NetworkError.self) { try await service.request(user("gone")) }
        #expect((lost?.cause as? URLError)?.code == .networkConnectionLost)
    }

    @Test func `a cancelled request stops waiting for its latch`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "me", with: .json("{}"), after: latch)
        let service = try service()
        let endpoint = user("me")
        let request = Task { try await service.request(endpoint) }
        await latch.arrivals(atLeast: 1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        let late = Task {
            await latch.wait()
            return try await api.send(HTTPRequest(method: .get, url: api.baseURL), body: nil, responseLimit: 1)
        }
        late.cancel()
        latch.open()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(api.requests.count == 1)
    }

    @Test(.rule("N35")) func `the path of a response matches exactly`() async throws {
        api.respond(to: .get, "a/b", with: .json(#"{"name": "Ada"}"#))
        api.respond(to: .get, "c/*", with: .json(#"{"name": "Grace"}"#))
        let service = try service()
        #expect(try await service.request(user("a/b")).name == "Ada")
        for path in ["a/b/", "a//b", "/a/b", "c", "c/d/", "c//d"] {
            let path = EndpointPath(stringLiteral: path == "/a/b" ? "//a/b" : path)
            #expect(await failuresLater { _ = try? await service.request(user(path)) }.count == 1)
        }
    }

    @Test(.rule("N35")) func `requests get the replies in the order in which they arrive`() async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "me", with: .json(#"{"name": "1"}"#), .json(#"{"name": "2"}"#), after: latch)
        let service = try service()
        let endpoint = user("me")
        let first = Task { try await service.request(endpoint).name }
        await latch.arrivals(atLeast: 1)
        first.cancel()
        _ = await first.result
        latch.open()
        // The cancelled request has arrived, so the first reply was for it.
        #expect(try await service.request(endpoint).name == "2")
    }

    @Test(.rule("N35")) func `a cancelled request gets no response`() async throws {
        for fails in [false, true] {
            let latch = AsyncLatch()
            api.respond(to: .get, "me") { _ in
                await latch.wait()
                if fails { throw URLError(.networkConnectionLost) }
                return .json("{}")
            }
            let request = HTTPRequest(method: .get, scheme: "https", authority: "stub.test", path: "/me")
            let call = Task { [api] in try await api.send(request, body: nil, responseLimit: 10) }
            await latch.arrivals(atLeast: 1)
            call.cancel()
            latch.open()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func `a request without a response fails the test at the line of the stub and throws`() async throws {
        var line = 0
        var refused: NetworkError?
        let failures = await failuresLater {
            let api = NetworkStub()
            line = #line - 1
            guard let service = try? NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api) else {
                return
            }
            refused = await networkError { try await service.request(user("me")) }
            api.respond(to: .post, "login", with: .status(.noContent))
            _ = await networkError { try await service.request(user("me")) }
        }
        #expect(
            failures.map(\.message) == [
                "There is no response to GET /me; set one with `respond(to:_:with:)`. No responses are set.",
                "There is no response to GET /me; set one with `respond(to:_:with:)`. Responses are set for: POST login.",
            ]
        )
        #expect(failures.map(\.line) == [line, line])
        #expect(refused?.code == .invalidEndpoint)
        #expect(refused?.message.contains("There is no response to GET /me") == true)
    }

    @Test func `a response larger than the limit is an error`() async throws {
        api.respond(to: .get, "me", with: .json(#"{"name": "Ada"}"#))
        var options = NetworkOptions()
        options.responseLimit = 14
        let strict = try service(options)
        let error = await networkError { try await strict.request(user("me")) }
        #expect(error?.code == .responseTooLarge)
        options.responseLimit = 15
        _ = try await service(options).request(user("me"))
    }

    @Test func `a wait for requests that times out fails the test`() async {
        let failures = await failuresLater { await api.requests(atLeast: 1, within: .zero) }
        #expect(failures.map(\.message) == ["Waited for requests: 0 of 1 came within 0.0 seconds."])
    }

    private func networkError(_ operation: () async throws -> some Any) async -> NetworkError? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return error as? NetworkError
        }
    }
}
