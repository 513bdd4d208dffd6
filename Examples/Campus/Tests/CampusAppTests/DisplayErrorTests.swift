import BackplaneNetworking
import CampusModels
import Foundation
import HTTPTypes
import Screens
import TestSupport
import Testing

@testable import CampusAssembly

/// Tests of the messages for failed requests, and of the failures that reject a mutation (A4, A5).
struct DisplayErrorTests {
    @Test(.rule("A4"), arguments: [400, 403, 404, 409, 412, 413, 422])
    func `a refused request is a rejection`(status: Int) {
        let error = NetworkError(.rejected, message: "", status: HTTPResponse.Status(code: status))
        #expect(DisplayError.isRejection(DisplayError(requestProblem: error)))
    }

    @Test(.rule("A5"), arguments: [408, 425, 429])
    func `a request that is refused only for now is not a rejection`(status: Int) {
        let error = NetworkError(.rejected, message: "", status: HTTPResponse.Status(code: status))
        #expect(!DisplayError.isRejection(DisplayError(requestProblem: error)))
    }

    @Test(
        .rule("A5"),
        arguments: [
            NetworkError.Code.transportFailed, .timedOut, .serverFailed, .undecodableResponse, .unauthorized,
            .signedOut,
            .sessionExpired, .refreshUnavailable, .middlewareFailed,
        ]
    )
    func `a failure with an unknown outcome is not a rejection`(code: NetworkError.Code) {
        let error = NetworkError(code, message: "", status: code == .unauthorized ? .unauthorized : nil)
        #expect(!DisplayError.isRejection(DisplayError(requestProblem: error)))
    }

    @Test func `an error without a message for the user is not a rejection`() {
        #expect(!DisplayError.isRejection(CancellationError()))
        #expect(DisplayError(explaining: CancellationError()) == nil)
    }

    @Test func `the message of an error is its own, or the other message if it has none`() {
        #expect(DisplayError.message(of: DisplayError("Too late."), else: "Not now.") == "Too late.")
        #expect(DisplayError.message(of: CancellationError(), else: "Not now.") == "Not now.")
        #expect(DisplayError.message(of: nil, else: "Not now.") == "Not now.")
    }

    @Test func `a conflict shows the server's message, or a default without a message`() throws {
        let body = try JSONEncoder().encode(APIError(code: "conflict", message: "Too late."))
        let error = NetworkError(.rejected, message: "", status: .conflict, body: .init(body))
        #expect(DisplayError(requestProblem: error).message == "Too late.")
        let mute = NetworkError(.rejected, message: "", status: .conflict)
        #expect(DisplayError(requestProblem: mute).message == "The campus server refuses this.")
    }
}
