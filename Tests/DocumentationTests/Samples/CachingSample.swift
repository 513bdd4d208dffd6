// The samples of Sources/BackplaneNetworking/BackplaneNetworking.docc/CachingResponses.md, with
// tests.

import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

struct Chapter: Codable, Sendable {
    var title: String
}

extension AuthenticatedEndpoint<[Chapter]> {
    static let chapters = Self(.get("chapters")).cached()
}

func showChapters(of account: AuthenticatedNetworkController) async throws -> String {
    let (chapters, source) = try await account.requestWithSource(.chapters)
    if case .stale = source { return "\(chapters.count) chapters, perhaps not the latest" }
    return "\(chapters.count) chapters"
}

func options(in caches: URL) -> NetworkOptions {
    var options = NetworkOptions()
    options.cache = .file(at: caches.appending(path: "responses.sqlite"))
    return options
}

func account(
    of user: String,
    over service: NonAuthenticatedNetworkController,
    _ tokens: NetworkTokens
) -> AuthenticatedNetworkController {
    AuthenticatedNetworkController(over: service, tokens: tokens, account: user) { token in
        NonAuthenticatedEndpoint(.post("tokens", body: .json(["refresh": token])))
    }
}

struct CachingSample {
    @Test func `the responses of a user are there at the next launch, and perhaps not the latest`() async throws {
        let (api, directory) = (NetworkStub(), TemporaryDirectory())
        let first = StubbedResponse.status(
            .ok,
            headerFields: [.cacheControl: "max-age=0, stale-if-error=600"],
            body: Data(#"[{"title": "One"}]"#.utf8)
        )
        api.respond(to: .get, "chapters", with: first, .failure(URLError(.notConnectedToInternet)))
        for text in ["1 chapters", "1 chapters, perhaps not the latest"] {
            let service = try NonAuthenticatedNetworkController(
                baseURL: api.baseURL,
                transport: api,
                options: options(in: directory.url)
            )
            let tokens = NetworkTokens(access: AccessToken(rawValue: "a"))
            #expect(try await showChapters(of: account(of: "ada", over: service, tokens)) == text)
        }
    }
}
