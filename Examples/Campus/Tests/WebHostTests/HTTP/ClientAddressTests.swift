import ServerLimits
import Testing

@testable import WebHost

@Suite struct ClientAddressTests {
    struct Case: CustomTestStringConvertible {
        let peer: String?
        let forwarded: [String]
        let client: String?

        var testDescription: String { "\(forwarded) from \(peer ?? "nobody")" }
    }

    private let proxies: Set<String> = ["127.0.0.1", "10.0.0.1", "2001:db8::1"]

    @Test(arguments: [
        Case(peer: "203.0.113.7", forwarded: [], client: "203.0.113.7"),
        Case(peer: "203.0.113.7", forwarded: ["198.51.100.1"], client: "203.0.113.7"),
        Case(peer: "127.0.0.1", forwarded: [], client: "127.0.0.1"),
        Case(peer: "127.0.0.1", forwarded: ["198.51.100.1"], client: "198.51.100.1"),
        Case(peer: "127.0.0.1", forwarded: ["1.1.1.1, 198.51.100.1"], client: "198.51.100.1"),
        Case(peer: "127.0.0.1", forwarded: ["1.1.1.1", "198.51.100.1"], client: "198.51.100.1"),
        Case(peer: "127.0.0.1", forwarded: ["198.51.100.1, 10.0.0.1"], client: "198.51.100.1"),
        Case(peer: "::ffff:127.0.0.1", forwarded: ["[2001:DB8::2]:443,2001:db8:0::1"], client: "2001:db8::2"),
        Case(peer: "127.0.0.1", forwarded: ["198.51.100.1:4711"], client: "198.51.100.1"),
        Case(peer: "127.0.0.1", forwarded: ["198.51.100.1, unknown"], client: "127.0.0.1"),
        Case(peer: "127.0.0.1", forwarded: ["10.0.0.1"], client: "10.0.0.1"),
        Case(peer: nil, forwarded: ["198.51.100.1"], client: nil),
    ])
    func `the client is the last address that does not belong to a trusted proxy`(_ example: Case) {
        let client = ClientAddress.client(peer: example.peer, forwarded: example.forwarded, trusting: proxies)
        #expect(client == example.client)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "[::1", "a:b", "1.2.3.4\n5"])
    func `a text that is not an IP address is not a client`(_ text: String) {
        #expect(ClientAddress.normalized(text) == nil)
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("::1", "0:0:0:0::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"), ("1::3:4:5:6:7:8", "1:0:3:4::/64"), ("fe80::", "fe80:0:0:0::/64"),
    ])
    func `a network is an IPv4 address or half an IPv6 address`(_ address: String, _ network: String) {
        #expect(ClientNetworks(of: address).client == network)
    }
}
