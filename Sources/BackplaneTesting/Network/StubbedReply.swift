public import Foundation
public import HTTPTypes

/// What a ``NetworkStub`` answers.
public struct StubbedReply: Sendable {
    let result: Result<(HTTPResponse, Data), any Error>

    /// A status with header fields and a body.
    public init(_ status: HTTPResponse.Status, headerFields: HTTPFields = [:], body: Data = Data()) {
        result = .success((HTTPResponse(status: status, headerFields: headerFields), body))
    }

    private init(failing error: any Error) {
        result = .failure(error)
    }

    /// A status and nothing else.
    public static func status(_ status: HTTPResponse.Status) -> StubbedReply {
        StubbedReply(status)
    }

    /// JSON, as it is written here.
    public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> StubbedReply {
        StubbedReply(status, headerFields: [.contentType: "application/json"], body: Data(text.utf8))
    }

    /// No answer, but an error, as where the server cannot be reached: `.failure(URLError(.notConnectedToInternet))`.
    public static func failure(_ error: any Error) -> StubbedReply {
        StubbedReply(failing: error)
    }
}
