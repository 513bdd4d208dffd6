#if AsyncHTTPClient
    import BackplaneConformance
    import XCTest

    final class ClientTransportXCTests: XCTestCase {
        func testTheTransportKeepsTheContract() async {
            for clause in NetworkTransportContract.allClauses { await clause.check { ClientTransport() } }
        }
    }
#endif
