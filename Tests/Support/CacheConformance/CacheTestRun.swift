import BackplaneConcurrency
package import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// The result of a test.
package enum CacheTestResult: Hashable, Sendable {
    case passed
    case failed(String)
    /// The requests before the one under test had another result than the test needs.
    case notSetUp(String)
}

/// A run of one test through the public API: a controller, a server in memory and a clock that only
/// the run moves.
package struct CacheTestRun: Sendable {
    private struct Failure: Error {
        let result: CacheTestResult
    }

    private let test: CacheTest
    private let clock = ManualClock()
    private let server: CacheTestServer
    private let service: NonAuthenticatedNetworkController
    private let received = Locked<(HTTPResponse, Data)?>(nil)

    /// Creates a run with an empty store.
    package init(_ test: CacheTest, _ store: ResponseStore) throws {
        self.test = test
        let (clock, start, received) = (clock, Date(), received)
        server = CacheTestServer(test) { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
        var options = NetworkOptions()
        options.clock = clock
        options.cache = store
        options.usesHeuristicLifetimes = true
        options.intercept { request, body, _, next in
            let response = try await next(request, body)
            received.withLock { $0 = response }
            return response
        }
        guard let url = URL(string: "https://cache.example.com") else { throw URLError(.badURL) }
        service = try NonAuthenticatedNetworkController(baseURL: url, transport: server, options: options)
    }

    /// Makes the requests, and compares what arrives with what the test expects.
    package func result() async -> CacheTestResult {
        do {
            var responses: [HTTPResponse] = []
            for number in 1...test.requests.count {
                let (response, body) = try await response(to: number)
                responses.append(response)
                try check(response, body, number)
                if test.requests[number - 1].pauses == true { clock.advance(by: .seconds(3)) }
            }
            try checkArrivals(responses)
            return .passed
        } catch let failure as Failure {
            return failure.result
        } catch {
            return .failed("\(error)")
        }
    }

    private func response(to number: Int) async throws -> (HTTPResponse, Data) {
        let wanted = test.requests[number - 1]
        var path = EndpointPath(stringLiteral: test.id)
        if let file = wanted.file { path = "\(test.id)/\(file)" }
        var fields: HTTPFields = [CacheTestServer.numberField: "\(number)"]
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970 + clock.now.offset / .seconds(1))
        for field in wanted.headers ?? [] {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: CacheTestServer.value(of: field, wanted, at: now, url: "")))
        }
        // A browser's `fetch` adds these fields for its modes.
        switch wanted.fetchMode {
        case "no-store", "reload": fields[.cacheControl] = "no-cache"
        case "no-cache": fields[.cacheControl] = "max-age=0"
        case "force-cache": fields[.cacheControl] = "max-stale"
        case "only-if-cached": fields[.cacheControl] = "only-if-cached, max-stale"
        default: break
        }
        let request = EndpointRequest(
            method: wanted.method.flatMap { HTTPRequest.Method(rawValue: $0) } ?? .get,
            path: path,
            query: wanted.query.map { ["query": $0] } ?? [:],
            headers: fields,
            body: wanted.body.map { .data(Data($0.utf8)) }
        )
        received.withLock { $0 = nil }
        let arrivals = server.arrivals.count
        let endpoint = NonAuthenticatedEndpoint<Data>(request).cached()
        var source: ResponseSource?
        do {
            source = try await service.requestWithSource(endpoint).source
        } catch let error as NetworkError {
            guard received.withLock({ $0 }) != nil else { throw error }
        }
        guard let response = received.withLock({ $0 }) else { throw URLError(.badServerResponse) }
        if source == .stale(.whileRevalidating) { try await revalidation(after: arrivals, of: request) }
        return response
    }

    /// Waits until the request that the cache makes after it has served a stale response is over,
    /// and the new response is stored.
    private func revalidation(after arrivals: Int, of wanted: EndpointRequest) async throws {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(5))
        while server.arrivals.count == arrivals, clock.now < end { await Task.yield() }
        var probe = wanted
        probe.headers[.cacheControl] = "only-if-cached"
        // A response that is stale at once is never seen, so this ends after a while.
        for _ in 0..<500 {
            await Task.yield()
            let response = try? await service.request(NonAuthenticatedEndpoint<Data>(probe).cached())
            if response != nil { return }
        }
    }

    // MARK: Checks

    private func expect(_ isMet: Bool, isSetup: Bool, _ message: @autoclosure () -> String) throws {
        guard !isMet else { return }
        throw Failure(result: isSetup ? .notSetUp(message()) : .failed(message()))
    }

    private func check(_ response: HTTPResponse, _ body: Data, _ number: Int) throws {
        let wanted = test.requests[number - 1]
        let count = response.headerFields[CacheTestServer.countField].flatMap { Int($0) }
        let isTypeSetup = wanted.isSetup("expected_type")
        if wanted.expectedType == "cached", response.status != .notModified || count != nil {
            try expect((count ?? .max) < number, isSetup: isTypeSetup, "response \(number) is not cached")
        } else if wanted.expectedType == "not_cached" {
            try expect(count == number, isSetup: isTypeSetup, "response \(number) is cached")
        }
        let status = response.status.code
        if let expected = wanted.expectedStatus {
            try expect(status == expected, isSetup: wanted.isSetup("expected_status"), "status \(number) is \(status)")
        } else if status == 999 {
            try expect(false, isSetup: isTypeSetup, "request \(number) has no right condition")
        } else {
            try expect(status == wanted.status?.code ?? 200, isSetup: true, "status \(number) is \(status)")
        }
        try checkFields(response, number)
        try checkBody(body, response, number)
    }

    private func checkFields(_ response: HTTPResponse, _ number: Int) throws {
        let wanted = test.requests[number - 1]
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { response.headerFields[$0] } }
        let isSetup = wanted.isSetup("expected_response_headers")
        let seconds = value("Server-Now").flatMap { Double($0) } ?? 0
        for field in wanted.expectedHeaders ?? [] {
            let got = value(field.name)
            let isRight: Bool
            switch field.value {
            case nil: isRight = got != nil
            case .equals(let other): isRight = got != nil && got == value(other)
            case .exceeds(let limit): isRight = got.flatMap { Int($0) } ?? .min > limit
            case .text, .number:
                let time = Date(timeIntervalSince1970: seconds)
                isRight = got == CacheTestServer.value(of: field, wanted, at: time, url: "/\(test.id)")
            }
            try expect(isRight, isSetup: isSetup, "response \(number) has \(field.name): \(got ?? "none")")
        }
        for field in wanted.unexpectedHeaders ?? [] {
            let got = value(field.name)
            var isRight = got == nil
            if case .text(let text) = field.value { isRight = got?.contains(text) != true }
            let isSetup = wanted.isSetup("expected_response_headers_missing")
            try expect(isRight, isSetup: isSetup, "response \(number) has \(field.name): \(got ?? "")")
        }
    }

    private func checkBody(_ body: Data, _ response: HTTPResponse, _ number: Int) throws {
        let wanted = test.requests[number - 1]
        guard wanted.checksBody != false else { return }
        let text = String(decoding: body, as: UTF8.self)
        if let expected = wanted.expectedText {
            guard let expected else { return }
            try expect(text == expected, isSetup: wanted.isSetup("expected_response_text"), "body \(number): \(text)")
        } else if let sent = wanted.responseBody, let sent {
            try expect(text == sent, isSetup: true, "body \(number): \(text)")
        } else if ![204, 304].contains(response.status.code), wanted.method != "HEAD" {
            try expect(text == server.defaultBody, isSetup: true, "body \(number): \(text)")
        }
    }

    /// Compares the requests that the server has received with the ones of the test.
    private func checkArrivals(_ responses: [HTTPResponse]) throws {
        var arrivals = server.arrivals[...]
        for (index, wanted) in test.requests.enumerated() where wanted.expectedType != "cached" {
            let (number, arrival) = (index + 1, arrivals.popFirst())
            let isSetup = wanted.isSetup("expected_type")
            if wanted.expectedType == "not_cached" {
                try expect(arrival?.number == number, isSetup: isSetup, "request \(number) did not arrive")
            }
            let conditions = ["etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since"]
            if let condition = wanted.expectedType.flatMap({ conditions[$0] }) {
                let value = HTTPField.Name(condition).flatMap { arrival?.request.headerFields[$0] }
                try expect(value != nil, isSetup: isSetup, "request \(number) has no \(condition)")
            }
            let isHeaderSetup = wanted.isSetup("expected_request_headers")
            for field in wanted.expectedRequestHeaders ?? [] {
                let value = HTTPField.Name(field.name).flatMap { arrival?.request.headerFields[$0] }
                var isRight = value != nil
                if case .text(let text) = field.value { isRight = value == text }
                try expect(isRight, isSetup: isHeaderSetup, "request \(number) has \(field.name): \(value ?? "none")")
            }
            for field in wanted.unexpectedRequestHeaders ?? [] {
                let value = HTTPField.Name(field.name).flatMap { arrival?.request.headerFields[$0] }
                var isRight = value == nil
                if case .text(let text) = field.value { isRight = value != text }
                try expect(isRight, isSetup: isHeaderSetup, "request \(number) has \(field.name): \(value ?? "")")
            }
            for (name, value) in arrival?.checked ?? [] where name.lowercased() != "date" {
                let got = HTTPField.Name(name).flatMap { responses[index].headerFields[$0] }
                try expect(got == value, isSetup: true, "response \(number) has \(name): \(got ?? "none")")
            }
            if let method = wanted.expectedMethod {
                let got = arrival?.request.method.rawValue ?? "none"
                try expect(got == method, isSetup: wanted.isSetup("expected_method"), "method \(number) is \(got)")
            }
        }
    }
}
