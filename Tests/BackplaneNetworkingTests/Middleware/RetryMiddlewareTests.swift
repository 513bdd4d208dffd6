import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryMiddlewareTests {
    private let api = NetworkStub()
    private let clock = ManualClock()

    /// Creates a controller that retries at once by default, within a timeout of 30 seconds.
    private func service(
        _ retry: RetryMiddleware = RetryMiddleware { _ in .zero },
        observe: (@Sendable (NetworkObservation) -> Void)? = nil
    ) throws -> NonAuthenticatedNetworkController {
        try api.service { options in
            options.clock = clock
            options.middlewares = [retry]
            options.observe = observe
        }
    }

    /// Lets the server ask for a delay once.
    private func delayed(by value: String) {
        let first = StubbedResponse(.tooManyRequests, headerFields: [.retryAfter: value])
        api.respond(to: .get, "x", with: first, .status(.ok))
    }

    @Test func `a request is not retried without a retry middleware`() async throws {
        api.respond(to: .get, "x", with: .status(.serviceUnavailable), .status(.ok))
        let service = try api.service()
        let error = await networkError { try await service.request(.visit()) }
        #expect(error?.status == .serviceUnavailable)
        #expect(api.requests.count == 1)
    }

    @Test(
        arguments: [(408, true), (429, true), (502, true), (503, true), (504, true)]
            + [301, 400, 401, 404, 409, 500, 501].map { ($0, false) }
    )
    func `only a temporary failure status is retried`(status: Int, isRetried: Bool) async throws {
        api.respond(to: .get, "x", with: StubbedResponse(HTTPResponse.Status(code: status)), .status(.ok))
        let error = await networkError { try await service().request(.visit()) }
        #expect(error?.status?.code == (isRetried ? nil : status))
        #expect(api.requests.count == (isRetried ? 2 : 1))
    }

    @Test(.rule("N18")) func `a request inside a retried operation is sent only once`() async throws {
        api.respond(to: .get, "x", with: .status(.serviceUnavailable), .status(.ok))
        let service = try service()
        let error = await Retrying.$isUnderWay.withValue(true) {
            await networkError { try await service.request(.visit()) }
        }
        #expect(error?.status == .serviceUnavailable)
        #expect(api.requests.count == 1)
    }

    @Test(.rule("D27"), arguments: [true, false])
    func `after a lost response, a conflict is not a refusal of a request with a key`(ends: Bool) async throws {
        let lost = StubbedResponse.failure(URLError(.networkConnectionLost))
        api.respond(to: .put, "x", with: lost, .status(.conflict), ends ? .status(.ok) : .status(.conflict))
        let service = try service()
        let error = await networkError { try await service.request(.visit(.put).idempotencyKey("1")) }
        // Without an outcome, the error is that of the attempt that may still be in progress.
        #expect(error?.code == (ends ? nil : .transportFailed))
        #expect(api.requests.count == 3)
    }

    @Test(arguments: [true, false])
    func `an unreachable server is retried, and a permanent error is not`(
        isUnreachable: Bool
    ) async throws {
        let error: any Error =
            isUnreachable ? URLError(.networkConnectionLost) : NetworkError.responseTooLarge(limit: 1)
        api.respond(to: .get, "x", with: .failure(error), .status(.ok))
        let result = await networkError { try await service().request(.visit()) }
        #expect(result?.code == (isUnreachable ? nil : .responseTooLarge))
        #expect(api.requests.count == (isUnreachable ? 2 : 1))
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .options, .trace, .put, .delete, .post, .patch])
    func `only idempotent methods and requests with an idempotency key are retried`(
        method: HTTPRequest.Method
    ) async throws {
        let isIdempotent = ![.post, .patch].contains(method)
        api.respond(to: method, "x", with: .status(.badGateway), .status(.badGateway), .status(.ok))
        let service = try service(RetryMiddleware(attempts: 2) { _ in .zero })
        _ = await networkError { try await service.request(.visit(method)) }
        #expect(api.requests.count == (isIdempotent ? 2 : 1))
        if !isIdempotent {
            try await service.request(.visit(method).idempotencyKey("42"))
            let keys = api.requests.map { request in request.headerFields.first { $0.name.rawName == "Idempotency-Key" }
            }
            #expect(keys.map { $0?.value } == [nil, "42", "42"])
        }
    }

    @Test func `a request has the given number of attempts and throws the last failure`() async throws {
        let failure = StubbedResponse.status(.badGateway)
        api.respond(to: .get, "x", with: failure, failure, .status(.gatewayTimeout), .status(.ok))
        let error = await networkError { try await service().request(.visit()) }
        #expect(error?.status == .gatewayTimeout)
        #expect(api.requests.count == 3)
    }

    @Test(arguments: [(1, [1, 2, 4, 5, 5]), (9, [5, 5, 5, 5, 5])])
    func `the bound of the delays doubles up to a limit`(backoff: Int, bounds: [Int]) async throws {
        let drawn = Watched<[Duration]>([])
        api.respond(to: .get, "x", with: .status(.badGateway))
        let retry = RetryMiddleware(attempts: 6, backoff: .seconds(backoff), longestBackoff: .seconds(5)) { bound in
            drawn.update { $0.append(bound) }
            return .zero
        }
        _ = await networkError { try await service(retry).request(.visit()) }
        #expect(drawn.value.prefix(5) == bounds.map { .seconds($0) }[...])
    }

    /// Expects that a request waits for exactly `duration`, in addition to its timeout.
    private func expectWait(of duration: Duration) async throws {
        await clock.sleepers(atLeast: 2)
        clock.advance(by: duration - .milliseconds(1))
        await clock.sleepers(atLeast: 2)
        #expect(api.requests.count == 1)
        clock.advance(by: .milliseconds(1))
    }

    @Test(arguments: [
        ["3", nil],
        ["Sun, 06 Nov 1994 08:49:40 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["Sunday, 06-Nov-94 08:49:40 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["Sun Nov  6 08:49:40 1994", "Sunday, 06-Nov-94 08:49:37 GMT"],
        ["Thu, 01 Mar 2096 00:00:02 GMT", "Wed, 29 Feb 2096 23:59:59 GMT"],
    ])
    func `a Retry-After field sets the delay, in seconds or by the server's clock`(fields: [String?]) async throws {
        let headers: HTTPFields = fields[1].map { [.retryAfter: fields[0] ?? "", .date: $0] } ?? [.retryAfter: "3"]
        api.respond(to: .get, "x", with: StubbedResponse(.tooManyRequests, headerFields: headers), .status(.ok))
        let service = try service()
        let request = Task { try await service.request(.visit()) }
        try await expectWait(of: .seconds(3))
        try await request.value
    }

    @Test func `a Retry-After date without a Date field is measured by this machine's clock`() async throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let value = format.string(from: Date() + 20)
        delayed(by: value)
        let service = try service()
        let request = Task { try await service.request(.visit()) }
        await clock.sleepers(atLeast: 2)
        #expect(api.requests.count == 1)
        clock.advance(by: .seconds(20))
        try await request.value
    }

    @Test(arguments: [("3", Duration.seconds(5)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(2))])
    func `the delay of the server and the jitter are added`(
        value: String,
        wait: Duration
    ) async throws {
        delayed(by: value)
        let service = try service(RetryMiddleware(backoff: .seconds(2)) { $0 })
        let request = Task { try await service.request(.visit()) }
        try await expectWait(of: wait)
        try await request.value
    }

    @Test(
        .rule("N16", "N34"),
        arguments: [
            "", "-3", "+3", "3s", "1e3", "soon", "Sun, 06 Nov 1994", "Sun, 31 Feb 2094 08:49:37 GMT",
            "Sun, 06 Nov 2094 08:49 GMT", "Sun, 06 Nov 2094 25:49:37 GMT", "Sun, 06 Foo 2094 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 2094 08:49:37 EST",
            "Sun, 06 Nov 2094 08:49:37", "Sun, 06 Nov 2094 08:49:37 +0100", "Sun Nov  6 08:49:37 2094 GMT",
            "Sunday, 06-Nov-94 08:49:37 UTC", "Sun, 06 Nov 2094 08:49:37 GMT+1",
            "1.5", "nan", "inf", "Sun, 06 Nov 99999999999999 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
            "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT", "Sun, 9223372036854775807 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 9223372036854775807:49:37 GMT",
        ]
    )
    func `an invalid or past Retry-After value causes no delay`(value: String) async throws {
        delayed(by: value)
        try await service().request(.visit())
        #expect(api.requests.count == 2)
    }

    @Test(arguments: ["30", "99999999999999999999", "Sun, 06 Nov 2094 08:49:37 GMT"])
    func `if a delay would be longer than the timeout of the request, it is not started`(value: String) async throws {
        let reply = StubbedResponse(.serviceUnavailable, headerFields: [.retryAfter: value], body: Data("later".utf8))
        api.respond(to: .get, "x", with: reply, .status(.ok))
        let error = await networkError { try await service().request(.visit()) }
        #expect(error?.code == .serverFailed)
        #expect(error?.body == Data("later".utf8))
        #expect(api.requests.count == 1)
    }

    @Test func `a delay counts toward the request's timeout`() async throws {
        api.respond(to: .get, "x", with: .status(.badGateway))
        let service = try service(RetryMiddleware(backoff: .seconds(20), longestBackoff: .seconds(20)) { $0 })
        let request = Task { await networkError { try await service.request(.visit()) } }
        try await expectWait(of: .seconds(20))
        #expect(await request.value?.code == .serverFailed)
        #expect(api.requests.count == 2)
    }

    @Test func `a cancellation ends the delay at once`() async throws {
        api.respond(to: .get, "x", with: .status(.badGateway), .status(.ok))
        let service = try service(RetryMiddleware { $0 })
        let request = Task { try await service.request(.visit()) }
        await clock.sleepers(atLeast: 2)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(api.requests.count == 1)
    }

    @Test func `all requests share the retry budget, and only successes refill the budget`() async throws {
        api.respond(to: .get, "x", with: .status(.badGateway))
        api.respond(to: .put, "x", with: .status(.ok))
        api.respond(to: .delete, "x", with: .status(.internalServerError))
        let retry = RetryMiddleware(attempts: 2, reserve: 2, retriesPerSuccess: 0.1) { _ in .zero }
        func ask(_ method: HTTPRequest.Method = .get, times: Int = 1) async throws -> Int {
            let before = api.requests.count
            for _ in 0..<times {
                let service = try service(retry)
                _ = await networkError { try await service.request(.visit(method)) }
            }
            return api.requests.count - before
        }
        // The reserve allows two retries. Later failures of any kind are not retried.
        #expect(try await ask(times: 4) == 6)
        #expect(try await ask(.delete, times: 10) == 10)
        #expect(try await ask() == 1)
        // Exactly ten successes pay for one retry.
        #expect(try await ask(.put, times: 9) == 9)
        #expect(try await ask() == 1)
        #expect(try await ask(.put) == 1)
        #expect(try await ask(times: 2) == 3)
        // The budget never exceeds the reserve.
        #expect(try await ask(.put, times: 50) == 50)
        #expect(try await ask(times: 4) == 6)
    }

    @Test func `every attempt is observed`() async throws {
        let log = Watched<[String]>([])
        api.respond(to: .get, "x", with: .failure(URLError(.timedOut)), .status(.badGateway), .status(.noContent))
        let service = try service { observation in log.update { $0.append("\(observation)") } }
        try await service.request(.visit())
        #expect(
            log.value == [
                "GET /x transportFailed in 0.0 seconds", "GET /x 502 in 0.0 seconds", "GET /x 204 in 0.0 seconds",
            ]
        )
    }

    @Test func `a request that waits for its retry is not sent after signing out`() async throws {
        api.respond(to: .get, "me", with: .status(.badGateway), .json(#"{"name":"Ada"}"#))
        let account = try api.account { options in
            options.clock = clock
            options.middlewares = [RetryMiddleware { $0 }]
        }
        let request = Task { await networkError { try await account.request(.me) } }
        await clock.sleepers(atLeast: 2)
        try await account.signOut()
        clock.advance(by: .seconds(1))
        #expect(await request.value?.code == .signedOut)
        #expect(api.requests.count == 1)
    }

    @Test func `the default jitter stays between zero and its bound`() async throws {
        api.respond(to: .get, "x", with: .status(.badGateway))
        let service = try service(RetryMiddleware(backoff: .seconds(2)))
        let request = Task { await networkError { try await service.request(.visit()) } }
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(2))
        await api.requests(atLeast: 2)
        request.cancel()
        _ = await request.value
    }
}
