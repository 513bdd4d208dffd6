import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport

@testable import BackplaneStorage

/// The stores that a cache can have.
enum StoreKind: String, CaseIterable, Sendable {
    case memory
    case file
}

/// A server, a clock and a store, for tests of the cache.
struct CacheBench: Sendable {
    let api = NetworkStub()
    let clock = ManualClock()
    let store: ResponseStore
    let kind: StoreKind
    let directory: TemporaryDirectory
    /// The time on the wall when controllers are created.
    var start = Date(timeIntervalSince1970: 1_800_000_000)

    init(_ kind: StoreKind, limit: Int = 1 << 20) {
        self.kind = kind
        directory = TemporaryDirectory()
        let file = directory.url.appending(path: "cache.sqlite")
        store = kind == .memory ? .memory(limit: limit) : .file(at: file, limit: limit)
    }

    var file: URL { directory.url.appending(path: "cache.sqlite") }

    func service(
        store: ResponseStore? = nil,
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        options.clock = clock
        options.cache = store ?? self.store
        options.date = { [start] in start }
        configure(&options)
        return try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api, options: options)
    }

    /// The time on the wall that clients have, as a header field has it.
    func date(_ offset: Int = 0) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: start.addingTimeInterval(clock.now.offset / .seconds(1) + Double(offset)))
    }

    /// Lets the server answer GET requests of a path with the numbers 1, 2, … and these fields.
    func count(_ fields: HTTPFields, at path: String = "x", status: HTTPResponse.Status = .ok) {
        let count = Watched(0)
        api.respond(to: .get, path) { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return .status(status, headerFields: fields, body: Data("\(number)".utf8))
        }
    }

    /// The request fields that the server has received, in order.
    func received(_ name: HTTPField.Name) -> [String?] { api.requests.map { $0.headerFields[name] } }
}

extension NonAuthenticatedNetworkController {
    /// Makes a GET request that may be cached, and returns the text and the source of the response.
    func get(
        _ path: EndpointPath = "x",
        _ headers: HTTPFields = [:],
        isCached: Bool = true
    ) async throws -> Got {
        let endpoint = NonAuthenticatedEndpoint<Data>(.get(path, headers: headers))
        return try await Got(request((isCached ? endpoint.cached() : endpoint).withAll()))
    }

    func account(_ token: String, named name: String? = nil) -> AuthenticatedNetworkController {
        AuthenticatedNetworkController(
            over: self,
            tokens: NetworkTokens(access: AccessToken(rawValue: token), refresh: RefreshToken(rawValue: "refresh")),
            account: name
        ) { _ in NonAuthenticatedEndpoint(.post("refresh")) }
    }
}

extension AuthenticatedNetworkController {
    func get(_ path: EndpointPath = "x") async throws -> Got {
        try await Got(request(AuthenticatedEndpoint<Data>(.get(path)).cached().withAll()))
    }
}

extension Endpoint where Response == Data {
    fileprivate func withAll() -> Endpoint<Access, (value: (Data, HTTPFields), source: ResponseSource)> {
        map { head, body in (body, head.headerFields) }.withSource()
    }
}

/// A response that arrived.
struct Got: Equatable {
    let text: String
    let source: ResponseSource
    let fields: HTTPFields

    init(_ text: String, _ source: ResponseSource) {
        (self.text, self.source, fields) = (text, source, [:])
    }

    fileprivate init(_ response: (value: (Data, HTTPFields), source: ResponseSource)) {
        text = String(decoding: response.value.0, as: UTF8.self)
        source = response.source
        fields = response.value.1
    }

    static func == (a: Got, b: Got) -> Bool { a.text == b.text && a.source == b.source }
}

extension StoreKind {
    /// The source of fresh responses.
    var source: ResponseSource { self == .memory ? .memory : .disk }
}
