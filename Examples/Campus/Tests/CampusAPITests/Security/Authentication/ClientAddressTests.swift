import NIOCore
import Testing

@testable import CampusAPI

struct ClientAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1:2:3:4:5", "20:1:d:b8:0:0:0:1/64"),
        ("2001:DB8:0:1::", "2001:db8:0:1::", "20:1:d:b8:0:0:0:1/64"),
    ])
    func `an address belongs to a network`(text: String, shown: String, network: String) throws {
        let address = try #require(ClientAddress(text: text))
        #expect(address.text == shown)
        #expect(address.network == network)
    }

    @Test(arguments: ["", "localhost", "192.0.2.1:80", "192.0.2", "192.0.2.1\n", "192.0.2.1, 192.0.2.2", "[::1]"])
    func `other texts are not addresses`(text: String) {
        #expect(ClientAddress(text: text) == nil)
    }

    @Test func `a connection without an IP address is local`() {
        #expect(ClientAddress(nil).network == "local")
    }
}
