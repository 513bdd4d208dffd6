import BackplaneNetworking
import CampusModels
import CampusNetworking
import Screens

/// Who is logged in, in one person's session: shared by its windows, which are actors of their own.
actor CampusSession {
    /// All there is while somebody is logged in; nothing of it is optional.
    private struct Account {
        let networking: AuthenticatedNetworkController
        let user: UserManager
    }

    private let service: NonAuthenticatedNetworkController
    private var account: Account?

    init(service: NonAuthenticatedNetworkController) {
        self.service = service
    }

    /// Asks the server on behalf of the user who is logged in.
    private func request<Value>(_ endpoint: AuthenticatedEndpoint<Value>) async throws -> Value {
        guard let account else { throw DisplayError.loggedOut }
        do {
            return try await account.networking.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(loadProblem: error)
        }
    }

    /// Asks the server for what anybody may see.
    private func request<Value>(_ endpoint: NonAuthenticatedEndpoint<Value>) async throws -> Value {
        do {
            return try await service.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(loadProblem: error)
        }
    }
}

extension CampusSession: CampusBackend {
    var currentUser: User.ID? {
        get async { await account?.user.user.id }
    }

    /// Logs in, loads the user, and only then is there an account.
    func logIn(with request: LoginRequest, onExpiry: @escaping @Sendable () async -> Void) async throws -> User.ID {
        do {
            let tokens = try await LoginPerformer(networking: service).login(using: request)
            let networking = AuthenticatedNetworkController(over: service, tokens: tokens) { event in
                if event.kind == .expired { Task { await onExpiry() } }
            } refresh: { token in
                .refresh(token)
            }
            let loader = UserLoader(networking: networking)
            let user = try await loader.loadUser()
            account = Account(networking: networking, user: UserManager(user: user, loader: loader))
            return user.id
        } catch let error as NetworkError {
            throw DisplayError(loginProblem: error)
        }
    }

    func logOut() async {
        let leaving = account
        account = nil
        // A server that cannot be told forgets by itself, when the tokens expire.
        if let leaving { try? await LogoutPerformer(networking: leaving.networking).logout() }
    }

    func user() async throws -> User {
        guard let account else { throw DisplayError.loggedOut }
        do {
            return try await account.user.sync()
        } catch let error as NetworkError {
            throw DisplayError(loadProblem: error)
        }
    }

    func courses() async throws -> [Course] { try await request(.courses) }
    func course(_ id: Course.ID) async throws -> Course { try await request(.course(id)) }
    func tutor(of course: Course.ID) async throws -> Tutor { try await request(.tutor(of: course)) }
    func schedule(of course: Course.ID) async throws -> [ScheduleItem] { try await request(.schedule(of: course)) }
    func todos(of course: Course.ID) async throws -> [Todo] { try await request(.todos(of: course)) }
    func contacts() async throws -> [Contact] { try await request(.contacts) }
    func messages() async throws -> [Message] { try await request(.messages) }
    func send(_ message: NewMessage) async throws -> Message.ID { try await request(.send(message)).id }
    func catalogue() async throws -> [Product] { try await request(.catalogue) }
    func product(_ id: Product.ID) async throws -> Product { try await request(.product(id)) }
}
