import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if AsyncHTTPClient
    import BackplaneAsyncHTTPClient
#endif

@Suite(.timeLimit(.minutes(5))) @MainActor struct NetworkTransportContractTests {
    /// A transport without a connection, so that every clause that needs a response fails.
    private struct Unplugged: NetworkTransport {
        func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
            throw URLError(.notConnectedToInternet)
        }
    }

    @Test func `each clause has its own description`() {
        let sentences = NetworkTransportContract.allClauses.map(\.description)
        #expect(sentences.count > 30)
        #expect(Set(sentences).count == sentences.count)
    }

    @Test func `a violated clause fails the test once, at the caller's line`() async throws {
        let clause = try #require(NetworkTransportContract.allClauses.first { $0.description == "nothing is cached" })
        let failures = await failuresLater { await clause.check { Unplugged() } }
        #expect(failures.map(\.line) == [#line - 1])
        #expect(failures.first?.message.hasPrefix("The transport violates “nothing is cached”: ") == true)
    }

    @Test func `a transport that cannot be created fails the test`() async throws {
        let clause = try #require(NetworkTransportContract.allClauses.first)
        let failures = await failuresLater { await clause.check { throw URLError(.badURL) } }
        #expect(failures.count == 1)
    }

    @Test func `a transport that hangs fails the test at the time limit`() async throws {
        struct Hanging: NetworkTransport {
            let latch = AsyncLatch()
            func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
                await latch.wait()
                throw CancellationError()
            }
        }
        let clause = try #require(NetworkTransportContract.allClauses.first)
        let hanging = Hanging()
        let failures = await failuresLater { await clause.check(within: .milliseconds(10)) { hanging } }
        #expect(failures.map(\.line) == [#line - 1])
        #expect(failures.first?.message.contains("did not finish within 0.01 seconds") == true)
        hanging.latch.open()
    }

    #if AsyncHTTPClient
        @Test(.rule("N35"), arguments: NetworkTransportContract.allClauses)
        func `a stub keeps the contract between its caller and its responses`(
            _ clause: NetworkTransportContract.Clause
        ) async {
            await clause.check { Relay() }
        }

        @Test(.rule("N23"), arguments: BrokenTransport.allCases)
        func `a transport with one fault fails only the clauses about that fault`(_ broken: BrokenTransport) async {
            var failed: Set<String> = []
            for clause in NetworkTransportContract.allClauses {
                let hangs = broken.hangs && broken.brokenClauses.contains(clause.description)
                let failures = await failuresLater {
                    await clause.check(within: hangs ? .seconds(2) : .seconds(60)) { broken.transport() }
                }
                if !failures.isEmpty { failed.insert(clause.description) }
                #expect(failures.count <= 1)
                if !hangs { #expect(!failures.contains { $0.message.contains("did not finish") }) }
            }
            #expect(failed == broken.brokenClauses)
        }
    #endif
}

#if AsyncHTTPClient
    /// A stub whose responses come from a real server.
    private struct Relay: NetworkTransport {
        private let stub = NetworkStub()
        private let server = AsyncHTTPClientTransport()

        func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
            let path = (request.path ?? "").split(separator: "?").first.map(String.init) ?? ""
            stub.respond(to: request.method, path) { [server] stubbed in
                let (response, body) = try await server.send(request, body: stubbed.body, responseLimit: responseLimit)
                return StubbedResponse(response.status, headerFields: response.headerFields, body: body)
            }
            return try await stub.send(request, body: body, responseLimit: responseLimit)
        }
    }
#endif
