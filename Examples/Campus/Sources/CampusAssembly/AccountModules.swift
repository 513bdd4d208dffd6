import AgendaFeature
package import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneStorage
import CampusAccounts
import CampusDrafts
import CampusFlows
import CampusModels
import CourseFeature
import CourseModels
import DashboardFeature
import DashboardModels
import LoginFeature
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
    /// The user, as all screens of the window show it.
    private let users: RecordStore<NoID, User>
    private let favoriteRecords: RecordStore<NoID, Set<Product.ID>>
    let favorites: ProductModel.Favorites
    private let purchase: (Product.ID) async throws -> Purchase
    /// The messages that are being sent, which the composer adds and the dashboard shows.
    let messages: SentMessages
    /// The changes in the file of the outbox; `nil` if changes exist only in memory.
    let saved: SavedChanges?
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
        self.drafts = Drafts(store: drafts, user: account.user)
        let window = AccountChanges.Window()
        self.window = window
        // The only place that knows whether changes outlive the process.
        let senders: ChangeSenders
        if let account = account as? NetworkAccount, let outbox = account.outbox {
            let saved = SavedChanges(outbox, orders: account.orders)
            self.saved = saved
            senders = ChangeSenders(through: outbox, of: account)
            purchase = { product in try await saved.purchase(product) }
        } else {
            saved = nil
            senders = ChangeSenders(inMemoryOf: account)
            // A purchase keeps its key until the server accepts or rejects it, so that a repeated
            // purchase after a lost response is not a second one.
            let action = IdempotentAction<Product.ID, Purchase> { product, key in
                try await account.purchase(NewPurchase(product: product), key: key)
            }
            purchase = { product in try await action(product) }
        }
        todos = RecordStore(
            clock: clock,
            sending: senders.todos.onConfirmation { _ in await account.changes.report(.todos, from: window) }
        )
        users = RecordStore(clock: clock)
        favoriteRecords = RecordStore(
            clock: clock,
            sending: senders.favorites.onConfirmation { _ in await account.changes.report(.favorites, from: window) }
        )
        favorites = Loader(store: favoriteRecords) { try await account.favorites() }
        messages = SentMessages(
            account: account,
            sending: senders.messages.onConfirmation { _ in await account.changes.report(.messages, from: window) },
            saved: saved,
            clock: clock
        )
    }

    /// Ends the work for the window.
    ///
    /// After a sign-out, no change that exists only in memory is sent any more. If only the window
    /// closes, they are still sent. The changes in an outbox need no window.
    func end(isSignedOut: Bool) {
        guard isSignedOut || saved != nil else { return }
        todos.reset()
        users.reset()
        favoriteRecords.reset()
        messages.reset()
    }

    /// Updates the window after each confirmed change of the user's data, until the task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - weekChanged: called when the counts of the week may have changed.
    ///   - isolation: the actor of the window; keep the default.
    func followChanges(weekChanged: () -> Void, isolation: isolated (any Actor)? = #isolation) async {
        for await change in await account.changes.reports() {
            // The stores of this window have its own changes already.
            let isFromHere = change.window == window
            switch change.subject {
            case .todos:
                if !isFromHere { todos.refresh() }
                weekChanged()
            case .messages: if !isFromHere { messages.refresh() }
            case .user: if !isFromHere { users.refresh() }
            case .favorites: if !isFromHere { favoriteRecords.refresh() }
            }
        }
    }

    /// Keeps the shown state of the outbox up to date, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - weekChanged: called when the counts of the week may have changed.
    ///   - isolation: the actor of the window; keep the default.
    func followOutbox(weekChanged: () -> Void, isolation: isolated (any Actor)? = #isolation) async {
        guard let saved else { return }
        await saved.follow {
            todos.refresh()
            messages.refresh()
            favoriteRecords.refresh()
            weekChanged()
        }
    }

    /// Signs the user out, after a question if the server does not have all changes.
    ///
    /// - Returns: whether the user is signed out.
    func signOut() async -> Bool {
        if let outbox = saved?.outbox, (try? await outbox.operations(limit: 1))?.isEmpty == false {
            let decision = try? await navigator.ask(.keepUnsent)
            guard decision == .accepted || decision == .rejected else { return false }
            await outbox.stop()
            if decision == .rejected { try? await outbox.discardAll() }
        }
        await account.signOut()
        return true
    }

    // The closures of a feature capture only what they need. A closure that captured `self` would
    // also hold the stores, and a store holds a change with its closure until the change is
    // settled.

    /// Loads the user, and tells the other windows if somebody else has changed it.
    private var loadUser: () async throws -> User {
        let (account, window) = (account, window)
        return {
            let known = try? await account.knownUser()
            let user = try await account.loadUser()
            if user != known { await account.changes.report(.user, from: window) }
            return user
        }
    }

    package var dashboard: some BoardModule {
        DashboardModule(
            navigator: navigator,
            loading: DashboardLoading(user: loadUser, courses: account.courses),
            users: users,
            messages: messages.messages,
            outbox: messages
        )
    }

    package var settings: some BoardModule {
        SettingsModule(navigator: navigator, actions: AccountSettings(account: account, load: loadUser), users: users)
    }

    var agenda: some BoardModule {
        AgendaModule(loadCourses: account.courses, loadSchedule: account.schedule, loadTodos: account.todos)
    }

    package var course: some BoardModule {
        CourseModule(
            navigator: navigator,
            loading: CourseLoading(
                course: account.course,
                tutor: account.tutor,
                schedule: account.schedule,
                todos: account.todos
            ),
            todos: todos
        )
    }

    var shopping: some BoardModule { ShoppingModule(favorites: favorites, purchase: purchase, pending: saved) }

    var password: some BoardModule {
        PasswordModule(navigator: navigator, check: { [account] in try await account.check(password: $0) })
    }

    /// Installs the modules on the session's motherboard, which belongs to `owner`.
    func install(on motherboard: Motherboard, owner: any Actor) {
        favorites.load(on: owner)
        motherboard.install(SessionFlows(), dashboard, settings, agenda, course, composer, shopping, password)
    }
}

/// The account operations that the settings use.
private struct AccountSettings: SettingsActions {
    let account: any Account
    let load: () async throws -> User

    func knownUser() async throws -> User { try await account.knownUser() }
    func user() async throws -> User { try await load() }
    func sessions() async throws -> [DeviceSession] { try await account.sessions() }
    func endSession(_ id: DeviceSession.ID) async throws { try await account.endSession(id) }
    func endOtherSessions() async throws { try await account.endOtherSessions() }
}
