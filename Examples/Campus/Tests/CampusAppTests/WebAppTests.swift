import BackplaneNetworking
import CampusAPI
import CampusModels
import Foundation
import Testing

@testable import CampusApp
@testable import CampusAssembly
@testable import WebHost

/// Tests of what the app does for the web host, without the host.
@Suite(.timeLimit(.minutes(5)))
struct WebAppTests {
    @Test func `a web session that ends for good signs its user out at the API`() async throws {
        try await withTemporaryDirectory { directory in
            try await withAPI(in: directory) { api in
                let file = directory.appending(path: "tokens.sqlite")
                let id = SessionID(rawValue: "a")
                let vault = SessionTokens(file: file).vault(of: id.rawValue)
                let ada = LoginRequest(email: DemoUsers.ada.email, password: DemoUsers.ada.password)
                _ = try await api.session(vault).signIn(with: ada) {}
                let tokens = try #require(try await vault.load())

                // As after a restart: the host makes the data of the session only to forget it.
                let app = try CampusApp.webApp(api: api.url, over: transport, tokens: file)
                let control = SessionControl(id: id, client: nil, findAddress: { nil }, onRenew: { _ in }, onEnd: {})
                await app.forgetScope(await app.makeScope(control))
                #expect(try await vault.load() == nil)

                let stolen = try api.session(MemoryTokenVault(tokens))
                #expect(await stolen.account() == nil)
                #expect(
                    await stolen.notice()?.contains("You have been signed out") == true,
                    "the API refuses the tokens"
                )
            }
        }
    }
}
