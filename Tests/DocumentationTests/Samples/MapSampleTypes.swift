// The samples of Documentation/Map.md about controllers and users, with tests.

import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import Testing

struct LoginCredentials: Codable, Sendable {
    var name: String
    var password: String
}

extension User: Identifiable {
    var id: String { name }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func login(_ credentials: LoginCredentials) -> Self { Self(.post("login", body: .json(credentials))) }
}

extension AuthenticatedEndpoint<User> {
    static func user(withID id: User.ID) -> Self { Self(.get("users/\(id)")) }
}

extension AuthenticatedEndpoint<Void> {
    static var logout: Self { Self(.post("logout")) }
}

enum SplittingUp {
    struct UserLoader {
        var networkController: AuthenticatedNetworkController

        func loadUser(withID id: User.ID) async throws -> User {
            try await networkController.request(.user(withID: id))
        }
    }

    struct LoginPerformer {
        var networking: NonAuthenticatedNetworkController

        func login(using credentials: LoginCredentials) async throws -> NetworkTokens {
            try await networking.request(.login(credentials))
        }
    }

    struct LogoutPerformer {
        var networking: AuthenticatedNetworkController

        func logout() async throws { try await networking.signOut(revokingWith: .logout) }
    }

    enum Before {
        struct UserManager {
            let networking: NonAuthenticatedNetworkController
            let session: UserSession<User>
            var user: User? { session.account?.user }

            func logIn(with credentials: LoginCredentials) async throws -> UserAccount<User> {
                try await session.signIn(with: networking.request(.login(credentials)))
            }

            func sync() async throws -> User? { try await session.account?.sync() }

            func logOut() async throws { try await session.signOut() }
        }
    }

    enum After {
        @MainActor final class UserManager {
            private(set) var user: User
            private let loader: UserLoader

            init(user: User, loader: UserLoader) {
                self.user = user
                self.loader = loader
            }

            func sync() async throws -> User {
                user = try await loader.loadUser(withID: user.id)
                return user
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct MapSampleTypes {
    private let api = NetworkStub()
    private let credentials = LoginCredentials(name: "ada", password: "swordfish")

    init() {
        api.respond(to: .post, "login", with: .json(#"{"access_token":"a"}"#))
        api.respond(to: .get, "users/ada", with: .json(#"{"name":"ada"}"#))
    }

    private func makeService() throws -> NonAuthenticatedNetworkController {
        try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
    }

    @Test func `a user is loaded with the tokens of a sign-in`() async throws {
        let service = try makeService()
        let tokens = try await service.request(.login(credentials))
        let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
        let user = try await account.request(.user(withID: "ada"))
        #expect(user.name == "ada")
        #expect(api.requests.map(\.bearer) == [nil, "a"])
    }

    @Test func `a cached user is loaded once`() async throws {
        let tokens = NetworkTokens(access: AccessToken(rawValue: "a"))
        let service = try makeService()
        let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
        for _ in 1...2 {
            let user = try await account.request(.user(withID: "ada").cached(for: .seconds(60)))
            #expect(user.name == "ada")
        }
        #expect(api.requests.count == 1)
    }

    @Test func `a performer signs in, and a loader loads the user`() async throws {
        let service = try makeService()
        let tokens = try await SplittingUp.LoginPerformer(networking: service).login(using: credentials)
        let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
        let user = try await SplittingUp.UserLoader(networkController: account).loadUser(withID: "ada")
        #expect(user.name == "ada")
    }

    @Test func `a manager has a user from the sign-in to the sign-out`() async throws {
        let service = try makeService()
        let session = UserSession<User>(over: service, user: .user(withID: "ada"), refresh: { .refresh($0) })
        let manager = SplittingUp.Before.UserManager(networking: service, session: session)
        #expect(manager.user == nil)
        let account = try await manager.logIn(with: credentials)
        #expect(manager.user?.name == "ada")
        api.respond(to: .get, "users/ada", with: .json(#"{"name":"Ada Lovelace"}"#))
        #expect(try await manager.sync()?.name == "Ada Lovelace")
        #expect(account.user.name == "Ada Lovelace")
        try await manager.logOut()
        #expect(manager.user == nil)
        await #expect(throws: NetworkError.self) { try await account.sync() }
    }

    @MainActor
    @Test func `a manager after the split loads its user with the loader`() async throws {
        let tokens = NetworkTokens(access: AccessToken(rawValue: "a"))
        let account = AuthenticatedNetworkController(over: try makeService(), tokens: tokens) { .refresh($0) }
        let loader = SplittingUp.UserLoader(networkController: account)
        let manager = SplittingUp.After.UserManager(user: try await loader.loadUser(withID: "ada"), loader: loader)
        api.respond(to: .get, "users/ada", with: .json(#"{"name":"Ada Lovelace"}"#))
        #expect(try await manager.sync().name == "Ada Lovelace")
        #expect(manager.user.name == "Ada Lovelace")
    }

    @Test func `a performer signs out with the authenticated controller`() async throws {
        api.respond(to: .post, "logout", with: .json("{}"))
        let tokens = NetworkTokens(access: AccessToken(rawValue: "a"))
        let account = AuthenticatedNetworkController(over: try makeService(), tokens: tokens) { .refresh($0) }
        try await SplittingUp.LogoutPerformer(networking: account).logout()
        #expect(api.requests.last?.path == "/logout")
        await #expect(throws: NetworkError.self) { try await account.request(.user(withID: "ada")) }
    }
}
