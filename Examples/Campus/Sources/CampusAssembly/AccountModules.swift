import AgendaFeature
package import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusAccounts
import CampusDrafts
import CampusFlows
import CampusModels
import CourseFeature
import CourseModels
import DashboardFeature
import DashboardModels
import ProductFeature
import ProductModels
import Screens
import SettingsFeature
import SettingsModels

/// The modules for a signed-in user, which the session installs in one window.
///
/// All of them hold the account and end with the session. So the next user never sees data of this
/// user, and changes of this user are never sent for the next user.
package struct AccountModules {
    let account: any Account
    let navigator: ScreenNavigator
    /// The user's to-dos.
    ///
    /// The store outlives the screen of a course: a tick is still sent after the screen closes, and
    /// it is visible when the course is opened again.
    private let todos: RecordStore<Course.ID, [Todo]>
    private let favoriteRecords: RecordStore<NoID, Set<Product.ID>>
    let favorites: ProductModel.Favorites
    /// A purchase keeps its key until the server accepts or rejects it, so that a repeated purchase
    /// after a lost response is not a second one.
    let purchase: IdempotentAction<Product.ID, Purchase>
    /// The messages that are being sent, which the composer adds and the dashboard shows.
    let outbox: Outbox
    let drafts: Drafts
    let onAnalyticsEvent: (AnalyticsEvent) -> Void
    private let window: AccountChanges.Window

    init(
        account: any Account,
        navigator: ScreenNavigator,
        drafts: DraftStore,
        clock: any Clock<Duration>,
        onAnalyticsEvent: @escaping (AnalyticsEvent) -> Void
    ) {
        self.account = account
        self.navigator = navigator
        self.onAnalyticsEvent = onAnalyticsEvent
        todos = RecordStore(clock: clock)
        favoriteRecords = RecordStore(clock: clock)
        favorites = Loader(store: favoriteRecords) { try await account.favorites() }
        purchase = IdempotentAction { product, key in
            try await account.purchase(NewPurchase(product: product), key: key)
        }
        let window = AccountChanges.Window()
        self.window = window
        outbox = Outbox(account: account, clock: clock) { await account.changes.report(.messages, from: window) }
        self.drafts = Drafts(store: drafts, user: account.user)
    }

    /// Discards all changes that the server has not confirmed.
    func reset() {
        todos.reset()
        favoriteRecords.reset()
        outbox.reset()
    }

    /// Loads the user's data again that other windows change, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - weekChanged: called when the counts of the week may have changed.
    ///   - isolation: the actor of the window; keep the default.
    func followOtherWindows(weekChanged: () -> Void, isolation: isolated (any Actor)? = #isolation) async {
        for await subject in await account.changes.fromOthers(than: window) {
            switch subject {
            case .todos:
                todos.refresh()
                weekChanged()
            case .messages: outbox.refresh()
            case .favorites: favoriteRecords.refresh()
            }
        }
    }

    // The closures of a feature capture only what they need. A closure that captured `self` would
    // also hold the stores, and a store holds a change with its closure until the change is
    // settled.

    package var dashboard: some BoardModule {
        DashboardModule(
            navigator: navigator,
            loading: DashboardLoading(user: account.loadUser, courses: account.courses),
            messages: outbox.messages,
            outbox: outbox
        )
    }

    package var settings: some BoardModule {
        SettingsModule(navigator: navigator, actions: AccountSettings(account: account))
    }

    var agenda: some BoardModule {
        AgendaModule(loadCourses: account.courses, loadSchedule: account.schedule, loadTodos: account.todos)
    }

    package var course: some BoardModule {
        let (account, window) = (account, window)
        return CourseModule(
            navigator: navigator,
            loading: CourseLoading(
                course: account.course,
                tutor: account.tutor,
                schedule: account.schedule,
                todos: account.todos
            ),
            changeTodo: { todo, course, change, key in
                let changed = try await account.change(todo, of: course, to: change, key: key)
                await account.changes.report(.todos, from: window)
                return changed
            },
            todos: todos
        )
    }

    var shopping: some BoardModule {
        let (account, window) = (account, window)
        return ShoppingModule(favorites: favorites, purchase: purchase.callAsFunction) { product, isFavorite in
            try await account.setFavorite(product, to: isFavorite)
            await account.changes.report(.favorites, from: window)
        }
    }

    /// Installs the modules on the session's motherboard, which belongs to `owner`.
    func install(on motherboard: Motherboard, owner: any Actor) {
        favorites.load(on: owner)
        motherboard.install(SessionFlows(), dashboard, settings, agenda, course, composer, shopping)
    }
}

/// The account operations that the settings use.
private struct AccountSettings: SettingsActions {
    let account: any Account

    func knownUser() async throws -> User { try await account.knownUser() }
    func user() async throws -> User { try await account.loadUser() }
    func sessions() async throws -> [DeviceSession] { try await account.sessions() }
    func endSession(_ id: DeviceSession.ID) async throws { try await account.endSession(id) }
    func endOtherSessions() async throws { try await account.endOtherSessions() }
}
