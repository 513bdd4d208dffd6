// The samples of Sources/BackplaneNetworking/BackplaneNetworking.docc/Endpoints.md, with tests.

import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

struct Recipe: Codable, Sendable {
    struct ID: RawRepresentable, Codable, Hashable, Sendable {
        let rawValue: String
    }

    var id: ID
    var title: String
}

extension NonAuthenticatedEndpoint<[Recipe]> {
    static func recipes(matching text: String, page: Int? = nil) -> Self {
        Self(.get("recipes", query: ["text": text, "page": page, "drafts": false]))
    }
}

extension AuthenticatedEndpoint<Recipe> {
    static func recipe(_ id: Recipe.ID) -> Self { Self(.get("recipes/\(id)")) }
}

extension AuthenticatedEndpoint<Void> {
    static func save(_ recipe: Recipe) -> Self { Self(.put("recipes/\(recipe.id)", body: .json(recipe))) }
}

struct RecipeList: Sendable {
    var recipes: [Recipe]
    var version: String?
}

extension NonAuthenticatedEndpoint<RecipeList> {
    static let newest = NonAuthenticatedEndpoint<[Recipe]>(.get("recipes/newest")).map { answer, recipes in
        RecipeList(recipes: recipes, version: answer.headerFields[.eTag])
    }
}

struct Problem: Error, Decodable {
    var title: String
}

func messageOfSaving(_ recipe: Recipe, by account: AuthenticatedNetworkController) async throws -> String {
    do {
        try await account.request(.save(recipe).errors(as: Problem.self))
        return "Saved."
    } catch let error as NetworkError where error.code == .rejected {
        return (error.cause as? Problem)?.title ?? "That cannot be saved."
    }
}

extension AuthenticatedEndpoint<[Recipe]> {
    static let favorites = Self(.get("favorites")).cached(for: .seconds(60))
}

func reloadFavorites(of account: AuthenticatedNetworkController) async throws -> [Recipe] {
    try await account.request(.favorites.cached(for: .zero))
}

func kitchen(at url: URL) throws -> NonAuthenticatedNetworkController {
    var options = NetworkOptions()
    options.timeout = .seconds(20)
    options.errorType = Problem.self
    options.intercept { request, body, context, next in
        var request = request
        request.headerFields[.acceptLanguage] = "vi"
        return try await next(request, body)
    }
    options.middlewares.append(RetryMiddleware(attempts: 4))
    options.observe = { observation in print(observation) }
    return try NonAuthenticatedNetworkController(baseURL: url, options: options)
}

extension AuthenticatedEndpoint<Void> {
    static func order(_ recipe: Recipe.ID, key: UUID) -> Self {
        Self(.post("orders", body: .json(["recipe": recipe]))).idempotencyKey(key.uuidString).timeout(.seconds(60))
    }
}

struct LoginPerformer {
    var networking: NonAuthenticatedNetworkController

    func login(name: String, password: String) async throws -> AuthenticatedNetworkController {
        let tokens = try await networking.request(.login(name: name, password: password))
        return AuthenticatedNetworkController(over: networking, tokens: tokens) { .refresh($0) }
    }
}

struct UserLoader {
    var networkController: AuthenticatedNetworkController

    func loadUser(withID id: String) async throws -> User {
        try await networkController.request(.user(id))
    }
}

@MainActor final class UserManager {
    private(set) var user: User
    private let loader: UserLoader

    init(user: User, loader: UserLoader) {
        self.user = user
        self.loader = loader
    }

    func sync() async throws {
        user = try await loader.loadUser(withID: user.name)
    }
}

@MainActor func startSession(_ performer: LoginPerformer, name: String, password: String) async throws -> UserManager {
    let loader = UserLoader(networkController: try await performer.login(name: name, password: password))
    return UserManager(user: try await loader.loadUser(withID: name), loader: loader)
}

extension UserManager {
    func sync(
        with controller: AuthenticatedNetworkController,
        then handler: @escaping NetworkResultHandler<User>
    ) -> Task<Void, Never> {
        controller.request(.user(user.name)) { [weak self] result in
            if let user = try? result.get() { self?.user = user }
            handler(result)
        }
    }
}

struct RecipeLoader {
    var networkController: AuthenticatedNetworkController

    func load(
        _ id: Recipe.ID,
        isolation: isolated any Actor = #isolation,
        then handler: @escaping NetworkResultHandler<Recipe>
    ) {
        networkController.request(.recipe(id), then: handler)
    }

    func preload(_ id: Recipe.ID) {
        Task { try await networkController.request(.recipe(id).cached(for: .seconds(60))) }
    }
}

struct EndpointsSample {
    private let api = NetworkStub()
    private let recipe = Recipe(id: Recipe.ID(rawValue: "../1"), title: "Pho")

    init() {
        api.respond(to: .get, "recipes/*", with: .json(#"{"id":"../1","title":"Pho"}"#))
        api.respond(to: .post, "login", with: .json(#"{"access_token":"a"}"#))
        api.respond(to: .get, "users/*", with: .json(#"{"name":"ada"}"#))
    }

    private func account() throws -> AuthenticatedNetworkController {
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        return AuthenticatedNetworkController(over: service, tokens: NetworkTokens(access: AccessToken(rawValue: "a")))
        {
            .refresh($0)
        }
    }

    @Test func `an endpoint describes its path and query`() async throws {
        #expect(NonAuthenticatedEndpoint.recipes(matching: "a&b").request.query.encoded == "text=a%26b&drafts=false")
        #expect(try await account().request(.recipe(recipe.id)).title == "Pho")
        #expect(api.requests.map(\.path) == ["/recipes/..%2F1"])
    }

    @Test func `an endpoint reads the version of a list from a header field`() async throws {
        let fields: HTTPFields = [.eTag: "1"]
        api.respond(to: .get, "recipes/newest", with: StubbedResponse(.ok, headerFields: fields, body: Data("[]".utf8)))
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        #expect(try await service.request(.newest).version == "1")
    }

    @Test func `a rejection shows the message of the server`() async throws {
        api.respond(to: .put, "recipes/*", with: .json(#"{"title":"No salt."}"#, status: .unprocessableContent))
        #expect(try await messageOfSaving(recipe, by: account()) == "No salt.")
    }

    @Test func `favorites are cached and reloaded on request`() async throws {
        api.respond(to: .get, "favorites", with: .json("[]"), .json(#"[{"id":"1","title":"Pho"}]"#))
        let account = try account()
        #expect(try await account.request(.favorites).isEmpty)
        #expect(try await account.request(.favorites).isEmpty)
        #expect(try await reloadFavorites(of: account).count == 1)
        #expect(try await account.request(.favorites).count == 1)
    }

    @Test func `options and endpoint settings apply to requests`() throws {
        _ = try kitchen(at: api.baseURL)
        let key = UUID()
        let order = AuthenticatedEndpoint.order(recipe.id, key: key)
        #expect(order.request.headers.map(\.value) == [key.uuidString])
        #expect(order.request.timeout == .seconds(60))
    }

    @MainActor
    @Test func `a session signs in, loads its user and updates the user`() async throws {
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let manager = try await startSession(LoginPerformer(networking: service), name: "ada", password: "swordfish")
        #expect(manager.user.name == "ada")
        api.respond(to: .get, "users/*", with: .json(#"{"name":"eva"}"#))
        try await manager.sync()
        #expect(manager.user.name == "eva")
        var names: [String?] = []
        await manager.sync(with: try account()) { result in names.append(try? result.get().name) }.value
        #expect(names == ["eva"])
    }

    @MainActor
    @Test func `a preloaded recipe is returned`() async throws {
        let loader = RecipeLoader(networkController: try account())
        loader.preload(recipe.id)
        let title = await withCheckedContinuation { continuation in
            loader.load(recipe.id) { result in continuation.resume(returning: try? result.get().title) }
        }
        #expect(title == "Pho")
    }
}
