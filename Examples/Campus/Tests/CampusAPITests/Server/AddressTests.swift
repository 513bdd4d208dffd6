import Testing

@testable import CampusAPI

struct AddressTests {
    @Test(arguments: [("127.0.0.1", "http://127.0.0.1:80"), ("::1", "http://[::1]:80")])
    func `an IPv4 or IPv6 address makes a URL`(host: String, url: String) {
        #expect(CampusAPIServer.Address.url(host: host, port: 80) == url)
    }
}
