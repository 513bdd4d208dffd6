import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import Testing

struct EndpointPathTests {
    @Test func `an interpolated value is always a single part of the path`() {
        let id = "a/b?c#d%e ü"
        let path: EndpointPath = "courses/\(id)/todos"
        #expect(path.encoded == "courses/a%2Fb%3Fc%23d%25e%20%C3%BC/todos")
    }

    @Test func `only slashes of the literal separate parts of the path`() {
        let path: EndpointPath = "/search?q=1/users:batch"
        #expect(path.encoded == "search%3Fq=1/users:batch")
    }

    @Test func `strings, numbers, IDs and UUIDs can be interpolated`() throws {
        let uuid = try #require(UUID(uuidString: "5F3B5C3E-7D0F-4F0B-9B7B-0D7C0B1F3A55"))
        let path: EndpointPath = "\("x")/\(7)/\(User.ID(rawValue: "u 1"))/\(uuid)"
        #expect(path.encoded == "x/7/u%201/5F3B5C3E-7D0F-4F0B-9B7B-0D7C0B1F3A55")
    }

    @Test(arguments: ["", ".", ".."])
    func `a value that would change the path is refused before sending`(value: String) async throws {
        let server = try ScriptedServer { _ in .status(200) }
        let service = try server.service()
        let error = await networkError { try await service.request(.author(User.ID(rawValue: value))) }
        #expect(error?.code == .invalidEndpoint)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["notes?page=1" as EndpointPath, "notes#top", "\("a")?page=\(1)"])
    func `a query inside the path is refused before sending`(path: EndpointPath) async throws {
        let server = try ScriptedServer { _ in .status(200) }
        let endpoint = NonAuthenticatedEndpoint<Void>(.get(path))
        let error = await networkError { try await server.service().request(endpoint) }
        #expect(error?.code == .invalidEndpoint)
        #expect(error?.localizedDescription.contains("pass the query as a separate parameter") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `a query keeps its order, omits nil and encodes all values`() {
        let query: EndpointQuery = ["q": "a&b=c+d e", "page": nil, "tag": "x", "tag": "ü"]
        #expect(query.encoded == "q=a%26b%3Dc%2Bd%20e&tag=x&tag=%C3%BC")
    }

    @Test func `a query accepts numbers and Booleans, including optional values`() {
        let page: Int? = 2
        let size: Int? = nil
        let query: EndpointQuery = ["page": page, "size": size, "all": true, "ratio": 0.5]
        #expect(query.encoded == "page=2&all=true&ratio=0.5")
    }
}
