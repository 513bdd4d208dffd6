public import Foundation
public import HTTPTypes

/// A reply of a ``NetworkStub``.
public struct StubbedResponse: Sendable {
    let result: Result<(HTTPResponse, Data), any Error>

    package init(_ status: HTTPResponse.Status, headerFields: HTTPFields = [:], body: Data = Data()) {
        result = .success((HTTPResponse(status: status, headerFields: headerFields), body))
    }

    private init(failing error: any Error) {
        result = .failure(error)
    }

    /// Returns a reply with a status, and optionally header fields and a body.
    public static func status(
        _ status: HTTPResponse.Status,
        headerFields: HTTPFields = [:],
        body: Data = Data()
    ) -> StubbedResponse {
        StubbedResponse(status, headerFields: headerFields, body: body)
    }

    /// Returns a reply whose body is this JSON text, unchanged.
    public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> StubbedResponse {
        StubbedResponse(status, headerFields: [.contentType: "application/json"], body: Data(text.utf8))
    }

    /// Returns a reply that throws an error instead of a response.
    ///
    /// For a server that cannot be reached, use `.failure(URLError(.notConnectedToInternet))`.
    public static func failure(_ error: any Error) -> StubbedResponse {
        StubbedResponse(failing: error)
    }
}
