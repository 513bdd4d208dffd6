import BackplaneNetworking
import CampusModels
import Foundation
import HTTPTypes
import Screens
import TestSupport
import Testing

@testable import CampusApp

/// What people are told of a failed request, and which failures undo what was shown ahead of the answer (A4, A5).
struct DisplayErrorTests {
    @Test(.rule("A4"), arguments: [400, 403, 404, 409, 412, 413, 422])
    func `what the server refuses is a rejection`(status: Int) {
        let error = NetworkError(.rejected, message: "", status: HTTPResponse.Status(code: status))
        #expect(DisplayError.isRejection(DisplayError(requestProblem: error)))
    }

    @Test(.rule("A5"), arguments: [408, 425, 429])
    func `what the server refuses for now is none`(status: Int) {
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
    func `what leaves open whether the server has acted is none`(code: NetworkError.Code) {
        let error = NetworkError(code, message: "", status: code == .unauthorized ? .unauthorized : nil)
        #expect(!DisplayError.isRejection(DisplayError(requestProblem: error)))
    }

    @Test func `an error that is not in words for people is no rejection`() {
        #expect(!DisplayError.isRejection(CancellationError()))
        #expect(DisplayError(explaining: CancellationError()) == nil)
    }

    @Test func `a conflict is explained in the server's own words`() throws {
        let body = try JSONEncoder().encode(APIError(code: "conflict", message: "Too late."))
        let error = NetworkError(.rejected, message: "", status: .conflict, body: .init(body))
        #expect(DisplayError(requestProblem: error).message == "Too late.")
        let mute = NetworkError(.rejected, message: "", status: .conflict)
        #expect(DisplayError(requestProblem: mute).message == "The campus server refuses this.")
    }
}
