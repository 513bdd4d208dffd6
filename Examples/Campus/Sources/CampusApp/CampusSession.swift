import BackplaneNetworking
import CampusModels
import CampusNetworking
import Screens
import WebHost

/// Who is logged in, in one session of a browser: shared by its windows, which are actors of their own.
actor CampusSession {
    /// All there is while somebody is logged in; nothing of it is optional.
    private struct Account {
        let networking: AuthenticatedNetworkController
        let user: UserManager
    }

    private let service: NonAuthenticatedNetworkController
    private let control: SessionControl
    private var account: Account?

    init(service: NonAuthenticatedNetworkController, control: SessionControl) {
        self.service = service
        self.control = control
    }

    /// The user who is logged in, if anybody.
    var currentUser: User.ID? {
        get async { await account?.user.user.id }
    }

    /// Logs in, loads the user, and only then is there an account.
    func logIn(with request: LoginRequest, from window: WindowID) async throws -> User.ID {
        do {
            let tokens = try await LoginPerformer(networking: service).login(using: request)
            let control = control
            let networking = AuthenticatedNetworkController(over: service, tokens: tokens) { event in
                if event.kind == .expired { Task { await control.end() } }
            } refresh: { token in
                .refresh(token)
            }
            let loader = UserLoader(networking: networking)
            let user = try await loader.loadUser()
            account = Account(networking: networking, user: UserManager(user: user, loader: loader))
            await control.renew(from: window)
            return user.id
        } catch let error as NetworkError {
            throw DisplayError(loginProblem: error)
        }
    }

    /// Logs out here and at the server, and has every open page start anew.
    func logOut() async {
        let leaving = account
        account = nil
        // A server that cannot be told forgets by itself, when the tokens expire.
        if let leaving { try? await LogoutPerformer(networking: leaving.networking).logout() }
        await control.end()
    }

    /// The user, as the server has it now.
    func syncUser() async throws -> User {
        guard let account else { throw DisplayError.loggedOut }
        do {
            return try await account.user.sync()
        } catch let error as NetworkError {
            throw DisplayError(loadProblem: error)
        }
    }

    /// Asks the server on behalf of the user who is logged in.
    func request<Value>(_ endpoint: AuthenticatedEndpoint<Value>) async throws -> Value {
        guard let account else { throw DisplayError.loggedOut }
        do {
            return try await account.networking.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(loadProblem: error)
        }
    }

    /// Asks the server for what anybody may see.
    func request<Value>(_ endpoint: NonAuthenticatedEndpoint<Value>) async throws -> Value {
        do {
            return try await service.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(loadProblem: error)
        }
    }
}
