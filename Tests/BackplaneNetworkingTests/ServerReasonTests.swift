import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServerReasonTests {
    private struct Problem: LocalizedError, Decodable {
        var title: String
        var errorDescription: String? { "Problem: \(title)" }
    }

    private let api = NetworkStub()

    private func reason(of body: String, as type: (any (Error & Decodable).Type)? = nil) async throws -> String? {
        api.respond(to: .get, "x", with: .json(body, status: .unprocessableContent))
        let service = try api.service { $0.errorType = type }
        return await networkError { try await service.request(.visit()) }?.reason
    }

    @Test(
        .rule("R8"),
        arguments: [
            (#"{"title":"Taken","detail":"The name is taken."}"#, "The name is taken."),
            (#"{"title":"Taken","status":409}"#, "Taken"),
            (#"{"error":"invalid_scope","error_description":"No such scope."}"#, "No such scope."),
            (#"{"message":"No.","code":[1,2]}"#, "No."),
            (#"{"error":{"message":"Too late."}}"#, "Too late."),
            (#"{"error":"busy"}"#, "busy"),
            (#"{"message":"two\n lines\u0000 and\u001b[31m red"}"#, "two lines and [31m red"),
        ]
    )
    func `the reason is the text of a JSON body`(body: String, reason: String) async throws {
        #expect(try await self.reason(of: body) == reason)
    }

    @Test(
        .rule("R8"),
        arguments: ["", "<html>no</html>", "[1]", "{}", #"{"message":""}"#, #"{"message":7}"#, #"{"mess"#]
    )
    func `another body has no reason`(body: String) async throws {
        #expect(try await reason(of: body) == nil)
    }

    @Test(.rule("R8")) func `the declared type of error bodies comes first`() async throws {
        #expect(try await reason(of: #"{"title":"Taken"}"#, as: Problem.self) == "Problem: Taken")
    }

    @Test(.rule("R8")) func `a long reason is cut, and a huge one is dropped`() async throws {
        let long = try await reason(of: #"{"message":"\#(String(repeating: "a", count: 5000))"}"#)
        #expect(long?.count == 501)
        #expect(long?.hasSuffix("…") == true)
        #expect(try await reason(of: #"{"message":"\#(String(repeating: "a", count: 100_000))"}"#) == nil)
    }

    @Test(
        .rule("R1"),
        arguments: [
            (400, true), (401, false), (404, true), (408, false), (425, false), (429, false), (499, true), (500, false),
            (301, false),
        ]
    )
    func `a status is a refusal if another attempt cannot change it`(status: Int, isRefusal: Bool) async throws {
        api.respond(to: .get, "x", with: StubbedResponse(HTTPResponse.Status(code: status)))
        let service = try api.service()
        let error = await networkError { try await service.request(.visit()) }
        #expect(error?.isRefusal == isRefusal)
        #expect(error?.isMissing == (status == 404))
    }
}
