internal import BackplaneConcurrency
public import BackplaneFeatures
public import BackplaneNetworking
public import Observation

/// A signed-in user, and a controller for the requests of this user.
///
/// A ``UserSession`` creates it when it knows the user, after a sign-in or at launch. Code that
/// needs a user takes an account, and never checks for one. It is a good input for a scope of
/// boards.
///
/// ```swift
/// @MainActor final class NotesModel {
///     let account: UserAccount<Member>
///     let notes = RecordStore<Note.ID, Note>()
///
///     init(account: UserAccount<Member>) {
///         self.account = account
///         account.own(notes)
///     }
///
///     var title: String { "Notes of \(account.user.name)" }
/// }
/// ```
///
/// **Isolation.** Use it from any thread. ``user`` and ``ending`` are observable. An observer on
/// the main actor misses no change. An observer on another actor can miss a change that happens at
/// the moment when it starts to observe. Such code waits with ``ended()``.
///
/// **End.** An account ends when its user signs out, when its tokens expire, or when another user
/// signs in. After that its requests fail, and ``user`` keeps its last value. If the same user
/// signs in again after an expiry, the same account continues: ``ending`` becomes `nil`, and the
/// controller sends requests again.
///
/// **Lifetime.** The session keeps the current account, and an expired account until the next
/// sign-in or sign-out. An account does not keep its session. After the session is released, the
/// account does not change when its tokens expire.
public final class UserAccount<User: Identifiable & Sendable>: Sendable, Observable where User.ID: Sendable {
    private struct Content: Sendable {
        var user: User
        var ending: AccountEnding?
        /// The end that callers wait for; a new one when the account continues.
        var end = SharedResult()
        var lastWait = 0
        /// The number of the last sync that has started.
        var lastSync = 0
        /// The number of the newest sync that has landed.
        var landedSync = 0
        var stores: [OwnedStore] = []
    }

    /// Sends the requests of the user and keeps the tokens fresh.
    ///
    /// After the end of the account, requests fail with a `NetworkError` of the code `signedOut` or
    /// `sessionExpired`. Sign the user out with ``UserSession/signOut()`` and not with the
    /// controller, because the session would not know of it.
    public let controller: AuthenticatedNetworkController

    let id: User.ID
    let tag: AccountTag
    private let load: @Sendable () async throws -> User
    private let content: Locked<Content>
    private let changes = SharedChanges()

    /// Creates the account of a user that `endpoint` loads.
    init(user: User, loadedFrom endpoint: AuthenticatedEndpoint<User>, by writer: SessionWriter) {
        id = user.id
        tag = writer.tag
        controller = writer.controller
        load = { [controller = writer.controller] in try await controller.request(endpoint) }
        content = Locked(Content(user: user))
    }

    /// Creates an account without a session, which never ends and whose user never changes.
    package init(standInFor user: User, sendingWith controller: AuthenticatedNetworkController) {
        id = user.id
        tag = AccountTag()
        self.controller = controller
        load = { user }
        content = Locked(Content(user: user))
    }

    /// The user, as it was last loaded; observable and never `nil`.
    public var user: User {
        changes.observe()
        return content.withLock { $0.user }
    }

    /// The reason why the account has ended, or `nil` while the user is signed in; observable.
    public var ending: AccountEnding? {
        changes.observe()
        return content.withLock { $0.ending }
    }

    /// Loads the user again; if that fails, ``user`` does not change.
    ///
    /// If two calls overlap, the result of the later call stays. Cancelling the task cancels the
    /// request.
    ///
    /// ```swift
    /// try await account.sync()
    /// ```
    ///
    /// - Returns: The current user.
    /// - Throws: `NetworkError`, with the code `signedOut` or `sessionExpired` if the account has
    ///   ended. `CancellationError` if the task is cancelled.
    @discardableResult
    public func sync() async throws -> User {
        let number = content.withLock { content in
            content.lastSync += 1
            return content.lastSync
        }
        let loaded = try await load()
        let current: User? = content.withLock { content in
            // The account may have ended after the response was checked.
            guard content.ending == nil else { return nil }
            if number > content.landedSync {
                content.landedSync = number
                content.user = loaded
            }
            return content.user
        }
        guard let current else { throw NetworkError.signedOut }
        changes.publish()
        return current
    }

    /// Suspends until the account ends.
    ///
    /// Any number of callers may wait. If the account has already ended, the function returns at
    /// once.
    ///
    /// ```swift
    /// if await account.ended() != nil { complete() }
    /// ```
    ///
    /// - Returns: The reason for the end, or `nil` if the calling task is cancelled first.
    public func ended() async -> AccountEnding? {
        let (ending, end, number) = content.withLock { content in
            content.lastWait += 1
            return (content.ending, content.end, content.lastWait)
        }
        if let ending { return ending }
        return await end.wait(as: number).map { uncheckedDowncast($0, to: Box<AccountEnding>.self).value }
    }

    /// Ties a store to the account, so that no record and no mutation of this user reaches another
    /// user.
    ///
    /// The store belongs to `owner`. The account keeps neither the store nor the actor alive.
    ///
    /// - If the account ends as ``AccountEnding/signedOut`` or ``AccountEnding/replaced``, the
    ///   store is reset once: see `RecordStore.reset()`. The reset runs on the store's actor, at
    ///   most one hop after the end. A sign-in of another user waits for it, so the store is empty
    ///   before the account of that user exists.
    /// - If the account ends as ``AccountEnding/expired``, the store keeps its records and its
    ///   pending mutations. If the same user signs in again, the store is refreshed, and sends the
    ///   pending mutations again with the same keys.
    ///
    /// If the account has already ended for good, the store is reset at once. A second call with
    /// the same store changes nothing.
    ///
    /// ```swift
    /// let notes = RecordStore<Note.ID, Note>()
    /// account.own(notes)
    /// ```
    ///
    /// Code that runs on an actor that the compiler does not know, such as a board, passes its
    /// actor: `account.own(notes, on: slot.owner)`.
    ///
    /// - Parameters:
    ///   - store: The store of a feature for the signed-in user.
    ///   - owner: The actor that the caller is running on, and that the store belongs to.
    /// - Precondition: The caller is running on `owner`.
    public func own<ID, Value>(_ store: RecordStore<ID, Value>, on owner: any Actor = #isolation) {
        let owned = OwnedStore(store, on: owner)
        let isOver = content.withLock { content in
            content.stores.removeAll { $0.isGone || $0.isSame(as: owned) }
            switch content.ending {
            case .signedOut, .replaced: return true
            case .expired, nil:
                content.stores.append(owned)
                return false
            }
        }
        if isOver { store.reset() }
    }
}

// The session calls these under its own lock, which is always taken before the lock of an account.
extension UserAccount {
    /// Ends the account, and returns the effects to perform after the locks are released.
    func end(_ ending: AccountEnding) -> EndedAccount {
        let (end, stores) = content.withLock { content in
            content.ending = ending
            guard ending != .expired else { return (content.end, [] as [OwnedStore]) }
            defer { content.stores = [] }
            return (content.end, content.stores)
        }
        return EndedAccount(stores: stores) { [changes] in
            changes.publish()
            end.resolve(Box(ending))
        }
    }

    /// Continues the account after a sign-in of the same user, and returns the effects to perform
    /// after the locks are released.
    func proceed(as user: User) -> @Sendable () -> Void {
        let stores = content.withLock { content in
            content.user = user
            // A user that an earlier sync loads is older.
            content.landedSync = content.lastSync
            if content.ending != nil {
                content.ending = nil
                content.end = SharedResult()
            }
            return content.stores
        }
        return { [changes] in
            changes.publish()
            for store in stores { store.refresh() }
        }
    }
}

/// The effects of the end of an account.
struct EndedAccount: Sendable {
    /// The stores to reset; empty after an expiry.
    let stores: [OwnedStore]
    /// Notifies the observers of the account and the callers that wait for its end.
    let announce: @Sendable () -> Void
}

/// The identity of the account that a controller's events belong to.
final class AccountTag: Sendable {}

/// A controller that may change the vault of the session, and the identity of its account.
struct SessionWriter: Sendable {
    let controller: AuthenticatedNetworkController
    let tag: AccountTag
}
