import AsyncHTTPClient
import CampusModels
import Foundation
import NIOCore
import NIOHTTP1

/// An HTTP client of an API.
struct APIClient: Sendable {
    /// A response of the API.
    struct Answer: Sendable {
        let status: Int
        let body: Data
        private let headers: HTTPHeaders

        fileprivate init(_ response: HTTPClientResponse) async throws {
            let bytes = try await response.body.collect(upTo: 1 << 20)
            status = Int(response.status.code)
            body = Data(bytes.readableBytesView)
            headers = response.headers
        }

        /// Returns the values of the header `name`.
        func header(_ name: String) -> [String] { headers[name] }

        func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: body)
        }

        /// The error in the body of a failure.
        var error: APIError {
            get throws { try decoded() }
        }
    }

    let url: String

    func get(_ path: String, token: String? = nil) async throws -> Answer {
        try await send("GET", path, body: nil, token: token)
    }

    func get(_ path: String, authorization: String) async throws -> Answer {
        try await send("GET", path, body: nil, fields: ["Authorization": authorization])
    }

    func post(
        _ path: String,
        _ body: some Encodable,
        token: String? = nil,
        key: String? = nil
    ) async throws -> Answer {
        try await write("POST", path, body, token: token, fields: ["Idempotency-Key": key])
    }

    func put(
        _ path: String,
        _ body: some Encodable,
        token: String? = nil,
        key: String? = nil,
        ifMatch: String? = nil
    ) async throws -> Answer {
        try await write("PUT", path, body, token: token, fields: ["Idempotency-Key": key, "If-Match": ifMatch])
    }

    func post(_ path: String, text: String = "", token: String? = nil, key: String? = nil) async throws -> Answer {
        try await send("POST", path, body: Data(text.utf8), token: token, fields: ["Idempotency-Key": key])
    }

    func head(_ path: String, token: String? = nil) async throws -> Answer {
        try await send("HEAD", path, body: nil, token: token)
    }

    func put(_ path: String, token: String? = nil) async throws -> Answer {
        try await send("PUT", path, body: nil, token: token)
    }

    func delete(_ path: String, token: String? = nil) async throws -> Answer {
        try await send("DELETE", path, body: nil, token: token)
    }

    func signIn(_ login: LoginRequest, with client: String? = nil) async throws -> TokensResponse {
        let body = try JSONEncoder().encode(login)
        return try await send("POST", "/login", body: body, fields: ["User-Agent": client]).decoded()
    }

    /// Signs in as the app does for a client with this address.
    func signIn(_ login: LoginRequest, from address: String, key: AppKey = testAppKey) async throws -> Answer {
        let fields: KeyValuePairs<String, String?> = [
            "X-Campus-Client-Address": address, "X-Campus-App-Key": key.rawValue,
        ]
        return try await send("POST", "/login", body: try JSONEncoder().encode(login), fields: fields)
    }

    func refresh(_ refreshToken: String) async throws -> Answer {
        try await post("/token/refresh", RefreshRequest(refreshToken: refreshToken))
    }

    private func write(
        _ method: String,
        _ path: String,
        _ body: some Encodable,
        token: String?,
        fields: KeyValuePairs<String, String?>
    ) async throws -> Answer {
        try await send(method, path, body: try JSONEncoder().encode(body), token: token, fields: fields)
    }

    func send(
        _ method: String,
        _ path: String,
        body: Data?,
        token: String? = nil,
        fields: KeyValuePairs<String, String?> = [:]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url + path)
        request.method = HTTPMethod(rawValue: method)
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        for case (let name, let value?) in fields { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(body) }
        return try await Answer(HTTPClient.shared.execute(request, timeout: .seconds(30)))
    }
}

/// The key of the app in tests.
let testAppKey = AppKey.random()
