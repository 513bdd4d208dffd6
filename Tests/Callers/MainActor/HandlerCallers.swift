import BackplaneNetworking
import Foundation
import HTTPTypes
import Testing

struct UserLoader {
    var networking: AuthenticatedNetworkController

    func loadUser(then handler: @escaping NetworkResultHandler<User>) {
        networking.request(.me, then: handler)
    }
}

final class UserManager {
    private(set) var user: User
    private let loader: UserLoader

    init(user: User, loader: UserLoader) {
        self.user = user
        self.loader = loader
    }

    func sync(then handler: @escaping NetworkResultHandler<User>) {
        loader.loadUser { [weak self] result in
            if let user = try? result.get() { self?.user = user }
            handler(result)
        }
    }
}

struct HandlerCallers {
    @Test func `a manager without async code updates its user`() async throws {
        let url = try #require(URL(string: "https://api.example"))
        var options = NetworkOptions()
        options.middlewares = [RetryMiddleware()]
        options.intercept { request, body, _, next in
            var request = request
            request.headerFields[.acceptLanguage] = "vi"
            return try await next(request, body)
        }
        let service = try NonAuthenticatedNetworkController(baseURL: url, transport: Service(), options: options)
        let account = AuthenticatedNetworkController(
            over: service,
            tokens: NetworkTokens(access: AccessToken(rawValue: "a"))
        ) { .refresh($0) }
        let manager = UserManager(user: User(name: "nobody"), loader: UserLoader(networking: account))
        let name = await withCheckedContinuation { continuation in
            manager.sync { result in continuation.resume(returning: (try? result.get())?.name) }
        }
        #expect(name == "Ada")
        #expect(manager.user == User(name: "Ada"))
    }
}
