import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)), .rule("R9"))
struct AccountStubTests {
    private let ada = SessionMember(id: "ada", name: "Ada")

    @Test func `a stubbed account has its user, and sends its requests with a token to the stub`() async throws {
        let server = NetworkStub()
        server.respond(to: .post, "notes") { request in
            request.bearer == "access" ? .status(.noContent) : .status(.unauthorized)
        }
        let account = UserAccount.stub(ada, on: server)
        #expect(account.user.name == "Ada")
        try await account.controller.request(.saveSessionNote("one"))
        #expect(try await account.sync().id == "ada")
        #expect(server.requests.count == 1)
    }

    @Test func `a stubbed account can own stores, and does not end when its tokens expire`() async throws {
        let server = NetworkStub()
        server.respond(to: .post, "notes", with: .status(.unauthorized))
        let account = UserAccount.stub(ada, on: server)
        let store = RecordStore<Int, String>()
        account.own(store)
        let loader = Loader(store: store) { id in "note \(id)" }
        loader.load(1)
        await loader.settled()
        let error = await #expect(throws: NetworkError.self) {
            try await account.controller.request(.saveSessionNote("one"))
        }
        #expect(error?.code == .sessionExpired)
        #expect(account.ending == nil)
        #expect(loader.value == "note 1")
    }

    @Test func `a request that nothing responds to fails the test at the line that stubs the account`() async {
        let line = #line + 2
        let failures = await failuresLater {
            let account = UserAccount.stub(ada)
            _ = try? await account.controller.request(.saveSessionNote("one"))
        }
        #expect(failures.map(\.line) == [line])
    }
}
