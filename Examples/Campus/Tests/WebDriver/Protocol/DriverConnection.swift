import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A connection that sends commands of the W3C WebDriver protocol to a driver.
struct DriverConnection: Sendable {
    /// The base URL of the commands' paths.
    let url: String

    private struct Envelope<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Failure: Decodable {
        let error: String
        let message: String
    }

    func get<Value: Decodable>(_ path: String) async throws -> Value {
        try decode(try await send(.GET, path), of: path)
    }

    func post<Value: Decodable>(_ path: String, _ body: JSONValue = [:]) async throws -> Value {
        try decode(try await send(.POST, path, body), of: path)
    }

    func post(_ path: String, _ body: JSONValue = [:]) async throws {
        _ = try await send(.POST, path, body)
    }

    func delete(_ path: String) async throws {
        _ = try await send(.DELETE, path)
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil) async throws -> Data {
        var request = HTTPClientRequest(url: url + path)
        request.method = method
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(try JSONEncoder().encode(body))
        }
        // The driver has its own timeouts; this timeout is for a driver that hangs.
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let data = Data(try await response.body.collect(upTo: 64 << 20).readableBytesView)
        guard response.status == .ok else {
            let failure: Failure = try decode(data, of: path)
            throw WebDriverError(code: .init(rawValue: failure.error), message: "\(method) \(path): \(failure.message)")
        }
        return data
    }

    private func decode<Value: Decodable>(_ data: Data, of path: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Envelope<Value>.self, from: data).value
        } catch {
            throw WebDriverError(
                code: .invalidAnswer,
                message: "The response to \(path) has \(data.count) bytes that cannot be decoded: \(error)"
            )
        }
    }
}
