import BackplaneNetworking
import Foundation
import HTTPTypes
import Testing

private struct Course: Codable, Sendable, Equatable {
    let id: String
    let title: String
}

private struct CourseID: RawRepresentable, Sendable {
    let rawValue: String
}

extension Endpoint where Access == NonAuthenticatedNetworkController, Response == [Course] {
    fileprivate static func search(_ text: String, page: Int?) -> Self {
        Endpoint(.get("courses", query: ["text": text, "page": page.map { String($0) }]))
    }
}

extension Endpoint where Access == AuthenticatedNetworkController, Response == Void {
    fileprivate static func rename(_ id: CourseID, to title: String) -> Self {
        Endpoint(.put("courses/\(id)/title", headers: [.ifMatch: "1"], body: .json(["title": title])))
    }
}

struct EndpointCallers {
    @Test func `an endpoint describes its request`() {
        #expect(NonAuthenticatedEndpoint<[Course]>.search("a&b", page: nil).request.query.encoded == "text=a%26b")
        let rename = AuthenticatedEndpoint<Void>.rename(CourseID(rawValue: "a/b"), to: "Engines")
        #expect(rename.request.path.encoded == "courses/a%2Fb/title")
        #expect(rename.request.method == .put)
    }

    @Test func `a request can be built in several ways`() {
        let plain = EndpointRequest(path: "me")
        var full = EndpointRequest(
            method: .post,
            path: "files/\(UUID())/\(3)",
            query: ["kind": "image"],
            headers: [.contentLanguage: "en"],
            body: .data(Data([1, 2, 3]), contentType: "image/png"),
            timeout: .seconds(5)
        )
        full.query.append("size", "3")
        full.body = .data(Data())
        #expect(plain.method == .get)
        #expect(full.query.encoded == "kind=image&size=3")
        #expect(full.body?.contentType == nil)

        let requests: [EndpointRequest] = [
            .get("a"), .get("a", query: ["b": "c"], headers: [:]),
            .post("a"), .post("a", query: [:], headers: [:], body: .json([1])),
            .put("a"), .put("a", query: [:], headers: [:], body: nil),
            .patch("a"), .patch("a", query: [:], headers: [:], body: .json("b")),
            .delete("a"), .delete("a", query: [:], headers: [:]),
        ]
        #expect(requests.allSatisfy { $0.path.encoded == "a" })
    }

    @Test func `a response can be decoded in several ways`() {
        let data = NonAuthenticatedEndpoint<Data>(.get("photo"))
        let count: NonAuthenticatedEndpoint<Int> = data.map { $0.count }
        let status = AuthenticatedEndpoint<Int>(.get("status")) { response, _, _ in response.status.code }
        let titles = AuthenticatedEndpoint<[Course]>(.get("courses")).map { courses in courses.map(\.title) }
        let guarded = titles.authenticationFails(with: [.forbidden], challenge: "invalid_token")
        #expect(count.request.path == data.request.path)
        #expect(guarded.request.path != status.request.path)
    }
}
