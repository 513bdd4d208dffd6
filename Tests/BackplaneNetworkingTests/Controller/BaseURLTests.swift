import BackplaneNetworking
import Foundation
import TestSupport
import Testing

struct BaseURLTests {
    private func code(_ url: String, allowsInsecureHTTP: Bool = false) throws -> NetworkError.Code? {
        var options = NetworkOptions()
        options.allowsInsecureHTTP = allowsInsecureHTTP
        do {
            _ = try NonAuthenticatedNetworkController(baseURL: #require(URL(string: url)), options: options)
            return nil
        } catch let error as NetworkError {
            return error.code
        }
    }

    @Test(arguments: [
        "https://api.example.com/v1", "HTTPS://API.EXAMPLE.COM", "http://localhost:8080", "http://app.localhost",
        "http://127.0.0.1", "http://127.8.9.10:80", "http://[::1]:8080",
    ])
    func `https is accepted everywhere, and http is accepted for this machine`(url: String) throws {
        #expect(try code(url) == nil)
    }

    @Test(
        .rule("N29"),
        arguments: [
            "http://0127.0.0.1", "http://127.0.0.01", "http://127.00.0.1", "http://127.+0.0.1", "http://127.0.0.1.",
            "http://0x7f.0.0.1", "http://127.0.0.256", "http://api.example.com", "http://127.0.0.1.example.com",
            "http://127.evil.com", "http://127.evil.example.com",
            "http://127.1",
            "http://localhost.example.com", "http://notlocalhost", "http://10.0.0.1", "http://[::2]",
            "http://1270.0.0.1",
        ]
    )
    func `http to another machine is refused unless an option allows insecure http`(url: String) throws {
        #expect(try code(url) == .invalidBaseURL)
        #expect(try code(url, allowsInsecureHTTP: true) == nil)
    }

    @Test(arguments: [
        "ftp://example.com", "/v1", "https:", "https://user:password@example.com", "https://example.com?x=1",
        "https://example.com#x", "https://example.com:99999", "https://example.com:0",
    ])
    func `an invalid base URL is refused`(url: String) throws {
        #expect(try code(url, allowsInsecureHTTP: true) == .invalidBaseURL)
    }

    @Test func `the error for an insecure base URL names the host and the remedy`() throws {
        let error = #expect(throws: NetworkError.self) {
            try NonAuthenticatedNetworkController(baseURL: #require(URL(string: "http://api.example.com")))
        }
        #expect(
            error?.description == """
                The base URL for api.example.com is not https, so others on the network could read tokens and data. \
                Use https, or set NetworkOptions.allowsInsecureHTTP if you trust the network.
                """
        )
    }
}
