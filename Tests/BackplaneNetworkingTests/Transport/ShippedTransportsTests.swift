import BackplaneNetworking
import BackplaneTesting
import Testing

#if AsyncHTTPClient
    import AsyncHTTPClient
    import BackplaneAsyncHTTPClient
#endif

@Suite(.timeLimit(.minutes(3)))
struct ShippedTransportsTests {
    #if canImport(FoundationNetworking)
        /// Where FoundationNetworking ends the process: swiftlang/swift-corelibs-foundation#5285.
        static let fatalClauses: Set = [
            "trailer fields are skipped", "a response that breaks off before its body is an error",
        ]
        /// What FoundationNetworking keeps at times: it reads on while its delegate lags behind.
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

    @Test(arguments: keptByURLSession)
    func `URLSessionTransport keeps the contract`(_ clause: NetworkTransportContract.Clause) async {
        await clause.check { URLSessionTransport() }
    }

    #if canImport(FoundationNetworking)
        // When this fails, FoundationNetworking has been mended: check the clauses above, and correct what
        // URLSessionTransport says of Linux.
        @Test func `URLSession on Linux ends the process where it is said to`() async {
            await #expect(processExitsWith: .failure) {
                for clause in NetworkTransportContract.allClauses
                where ShippedTransportsTests.fatalClauses.contains(clause.description) {
                    await clause.check { URLSessionTransport() }
                }
            }
        }
    #endif

    #if AsyncHTTPClient
        @Test(arguments: NetworkTransportContract.allClauses)
        func `AsyncHTTPClientTransport keeps the contract`(_ clause: NetworkTransportContract.Clause) async {
            await clause.check { AsyncHTTPClientTransport() }
        }

        @Test(arguments: NetworkTransportContract.allClauses)
        func `AsyncHTTPClientTransport keeps the contract however it is configured`(
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
