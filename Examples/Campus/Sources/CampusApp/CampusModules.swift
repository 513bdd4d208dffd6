import AgendaFeature
import BackplaneFeatures
import CampusDrafts
import CampusModels
import CatalogueFeature
import CourseFeature
import DashboardFeature
import LoginFeature
import ProductFeature
import RootFeature
import Screens
import SettingsFeature
import SignOutFeature

/// Every feature of Campus as the module that one window installs: where it shows itself, and who answers its closures.
struct CampusModules {
    /// What a person's session, however a host keeps it, is told by the features.
    struct Host: Sendable {
        /// Somebody has logged in, and what is theirs is about to be kept and shown.
        let didLogIn: @Sendable () async -> Void
        /// Somebody has logged out.
        let didLogOut: @Sendable () async -> Void
        /// The server lets nobody in any more with the tokens it gave.
        let didExpire: @Sendable () async -> Void
        /// What whoever logs in next is to know.
        var notice: String?
    }

    let navigation: Navigation
    let backend: any CampusBackend
    let host: Host
    /// The user's to-dos: a tick is on its way still when its screen has left, and shows when the course is opened again.
    private let todos: RecordStore<Course.ID, [Todo]>
    private let favouriteRecords: RecordStore<Sole, Set<Product.ID>>
    /// The user's favourites, which all products of the window share.
    let favourites: ProductScreen.Favourites
    let purchases: Purchaser
    /// The messages that are on their way, which the composer fills and the dashboard shows.
    let outbox: Outbox
    let drafts: Drafts

    /// The modules of one window.
    ///
    /// - Parameters:
    ///   - navigation: where the window's screens are shown.
    ///   - backend: who answers.
    ///   - host: who keeps the person's session.
    ///   - drafts: keeps the messages that are given up for now; for as long as this process unless stated.
    ///   - clock: what passes before something that had no answer is sent again.
    init(
        navigation: Navigation,
        backend: any CampusBackend,
        host: Host,
        drafts: DraftStore = DraftStore(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.navigation = navigation
        self.backend = backend
        self.host = host
        todos = RecordStore(isRejection: DisplayError.isRejection, clock: clock)
        favouriteRecords = RecordStore(isRejection: DisplayError.isRejection, clock: clock)
        favourites = Loader(store: favouriteRecords) { _ in try await backend.favourites() }
        purchases = Purchaser { try await backend.purchase($0, key: $1) }
        outbox = Outbox(backend: backend, clock: clock)
        self.drafts = Drafts(store: drafts, backend: backend)
    }

    // The closures of a feature capture what they need by name. One that captured the modules would have the stores in it, and
    // a store holds a change, with its closure, until it is settled.

    var root: RootModule {
        let backend = backend
        return RootModule(currentUser: { await backend.currentUser })
    }

    var login: LoginModule {
        LoginModule(
            navigation: navigation,
            currentUser: { await backend.currentUser },
            notice: { host.notice },
            logIn: { request in
                let user = try await backend.logIn(with: request, onEntry: host.didLogIn, onExpiry: host.didExpire)
                beginEpoch()
                // Those that a product shows were loaded when nobody was logged in.
                await loadFavourites()
                return user
            }
        )
    }

    private func loadFavourites(isolation: isolated (any Actor)? = #isolation) async {
        if let isolation { favourites.load(.sole, on: isolation) }
    }

    /// What one user has loaded and changed is nothing for the next to see, or to have done in their name.
    private func beginEpoch() {
        todos.reset()
        favouriteRecords.reset()
        outbox.reset()
    }

    var signOut: SignOutModule {
        SignOutModule(
            signOut: {
                beginEpoch()
                await backend.logOut()
                await host.didLogOut()
            }
        )
    }

    var dashboard: DashboardModule {
        let backend = backend
        return DashboardModule(
            navigation: navigation,
            loading: DashboardLoading(
                user: { _ in try await backend.user() },
                courses: { _ in try await backend.courses() },
                messages: { _ in try await backend.messages() }
            ),
            outbox: outbox
        )
    }

    var settings: SettingsModule {
        SettingsModule(navigation: navigation, actions: backend)
    }

    var agenda: AgendaModule {
        let backend = backend
        return AgendaModule(
            loadCourses: { try await backend.courses() },
            loadSchedule: { try await backend.schedule(of: $0) },
            loadTodos: { try await backend.todos(of: $0) }
        )
    }

    var course: CourseModule {
        let backend = backend
        return CourseModule(
            navigation: navigation,
            loading: CourseLoading(
                course: { try await backend.course($0) },
                tutor: { try await backend.tutor(of: $0) },
                schedule: { try await backend.schedule(of: $0) },
                todos: { try await backend.todos(of: $0) }
            ),
            changeTodo: { todo, course, change, key in
                try await backend.change(todo, of: course, to: change, key: key)
            },
            todos: todos
        )
    }

    var catalogue: CatalogueModule {
        let backend = backend
        return CatalogueModule(navigation: navigation, loadProducts: { try await backend.catalogue() })
    }
}
