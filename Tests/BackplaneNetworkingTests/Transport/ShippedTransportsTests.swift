import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if AsyncHTTPClient
    import AsyncHTTPClient
    import BackplaneAsyncHTTPClient
#endif

@Suite(.timeLimit(.minutes(3)))
struct ShippedTransportsTests {
    #if canImport(FoundationNetworking)
        /// Clauses for which FoundationNetworking ends the process:
        /// swiftlang/swift-corelibs-foundation#5285.
        static let fatalClauses: Set = [
            "trailer fields are skipped", "a response that breaks off before its body is an error",
        ]
        /// Clauses that FoundationNetworking does not always keep: it continues to read although
        /// its delegate is slow.
        static let uncertainClauses: Set = [
            "an endless body fails at the limit, and the connection is closed"
        ]
    #else
        static let fatalClauses: Set<String> = []
        static let uncertainClauses: Set<String> = []
    #endif

    static let keptByURLSession = NetworkTransportContract.allClauses.filter {
        !fatalClauses.union(uncertainClauses).contains($0.description)
    }

    @Test(.rule("N23", "N34"), arguments: keptByURLSession)
    func `URLSessionTransport keeps the contract`(_ clause: NetworkTransportContract.Clause) async {
        await clause.check { URLSessionTransport() }
    }

    @Test(.rule("D26"), arguments: TransportKind.allCases, ["127.0.0.1", "localhost"])
    func `a server that refuses a connection has not received the request`(
        kind: TransportKind,
        host: String
    ) async throws {
        // Nothing listens at this port. One that was free a moment ago may belong to another test.
        let url = try #require(URL(string: "http://\(host):1"))
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: kind.make())
        let change = NonAuthenticatedEndpoint<Void>(.put("x", body: .data(Data("1".utf8))))
        let error = await networkError { try await service.request(change) }
        #expect(error?.code == .transportFailed)
        #expect((error?.cause as? URLError)?.code == .cannotConnectToHost)
    }

    #if canImport(FoundationNetworking)
        // If this test fails, FoundationNetworking has been fixed. Check the clauses above, and
        // correct the documentation of URLSessionTransport for Linux.
        @Test func `URLSession on Linux ends the process for the clauses in fatalClauses`() async {
            await #expect(processExitsWith: .failure) {
                for clause in NetworkTransportContract.allClauses
                where ShippedTransportsTests.fatalClauses.contains(clause.description) {
                    await clause.check { URLSessionTransport() }
                }
            }
        }
    #endif

    #if AsyncHTTPClient
        @Test(.rule("N23", "N34"), arguments: NetworkTransportContract.allClauses)
        func `AsyncHTTPClientTransport keeps the contract`(_ clause: NetworkTransportContract.Clause) async {
            await clause.check { AsyncHTTPClientTransport() }
        }

        @Test(arguments: NetworkTransportContract.allClauses)
        func `AsyncHTTPClientTransport keeps the contract with any configuration`(
            _ clause: NetworkTransportContract.Clause
        ) async {
            await clause.check {
                AsyncHTTPClientTransport {
                    $0.redirectConfiguration = .follow(max: 5, allowCycles: false)
                    $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
                }
            }
        }
    #endif
}
