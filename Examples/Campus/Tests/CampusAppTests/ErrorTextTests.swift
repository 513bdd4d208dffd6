import BackplaneNetworking
import BackplaneRemote
import CampusModels
import Foundation
import HTTPTypes
import Screens
import Testing

@testable import CampusAssembly

/// Tests of the texts for failed requests.
struct ErrorTextTests {
    private func error(_ status: Int?, _ code: NetworkError.Code = .rejected) -> NetworkError {
        NetworkError(code, message: "", status: status.map { HTTPResponse.Status(code: $0) })
    }

    @Test func `an error shows its own text, or the default text if it has none`() {
        #expect(DisplayError.message(of: DisplayError("Too late."), else: "Not now.") == "Too late.")
        #expect(DisplayError.message(of: ExplainedError("Gone.", cause: error(404)), else: "Not now.") == "Gone.")
        #expect(DisplayError.message(of: CancellationError(), else: "Not now.") == "Not now.")
        #expect(DisplayError.message(of: nil, else: "Not now.") == "Not now.")
    }

    @Test(
        arguments: [
            (.rejected, 403, "There is no such thing, or you have no access to it."),
            (.rejected, 404, "There is no such thing, or you have no access to it."),
            (.rejected, 422, "The campus server does not accept this. Change it, then try again."),
            (.serverFailed, 503, "The campus server could not answer."),
            (.unauthorized, 401, "The campus server could not answer."),
            (.timedOut, nil, "The campus server cannot be reached."),
            (.sessionExpired, nil, "You are signed out. Load the page again to sign in."),
        ] as [(NetworkError.Code, Int?, String)]
    )
    func `a failed request has a text for the user`(code: NetworkError.Code, status: Int?, text: String) {
        #expect(error(status, code).text == text)
    }

    @Test func `a request without valid tokens says why they could not be refreshed`() {
        for (cause, text) in [
            (error(nil, .timedOut), "The campus server cannot be reached."),
            (error(503, .serverFailed), "The campus server could not answer."),
        ] {
            #expect(NetworkError(.refreshUnavailable, message: "", cause: cause).text == text)
        }
    }

    @Test func `a failed sign-in has a text of its own`() {
        #expect(error(401, .unauthorized).signInText == "No user has this e-mail address and password.")
        #expect(error(429).signInText == "Too many attempts. Wait a minute, then try again.")
        #expect(error(nil, .timedOut).signInText == "The campus server cannot be reached.")
    }

    /// Returns the text for a response with this message of the server.
    private func text(_ status: Int, _ message: String) throws -> String {
        let body = try JSONEncoder().encode(APIError(code: "conflict", message: message))
        return NetworkError(.rejected, message: "", status: HTTPResponse.Status(code: status), body: .init(body)).text
    }

    @Test(arguments: [409, 422]) func `a refusal shows the server's message and cuts a long one`(status: Int) throws {
        #expect(try text(status, "Too late.") == "Too late.")
        let long = try text(status, String(repeating: "a", count: 10_000))
        #expect(long.hasSuffix("a…"))
        #expect(long.count < 1_000)
    }

    @Test func `a conflict without a message has a default`() {
        #expect(error(409).text == "The campus server refuses this.")
    }

    @Test(arguments: [401, 404, 500, 503]) func `a message that is not for users is not shown`(status: Int) throws {
        #expect(try !text(status, "GET /courses lists more.").contains("GET"))
    }
}
