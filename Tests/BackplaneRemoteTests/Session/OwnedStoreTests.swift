import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)), .rule("R5"))
struct OwnedStoreTests {
    private let server = SessionServer()
    private let store = RecordStore<Int, String>(clock: ManualClock())

    /// Returns a loader that shows a record of the store.
    private func shown() async -> Loader<Int, String> {
        let loader = Loader(store: store) { id in "note \(id)" }
        loader.load(1)
        await loader.settled()
        return loader
    }

    /// A change that is sent by the controller of `account`.
    private func change(for account: UserAccount<SessionMember>) -> Mutation<String> {
        let controller = account.controller
        return Mutation<String>(.edit { $0 += "!" }) { _ in
            try await controller.request(.saveSessionNote("note 1!"))
        }
    }

    /// Makes a change whose send fails because the tokens have expired.
    private func leavePending(
        in loader: Loader<Int, String>,
        of account: UserAccount<SessionMember>
    ) async throws {
        server.state.update { state in
            state.refused = ["ada-1"]
            state.refusesRefreshes = true
        }
        try loader.enqueue(change(for: account))
        await waitUntil { loader.pending.first?.error != nil }
        #expect(account.ending == .expired)
        server.state.update { $0.refusesRefreshes = false }
    }

    @Test func `a sign-out resets the stores of the account`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        let loader = await shown()
        account.own(store)
        account.own(store)
        #expect(loader.value == "note 1")
        try await session.signOut()
        #expect(loader.value == nil)
        // The store belongs to no account any more, so nothing resets it again.
        loader.load(1)
        await loader.settled()
        try await session.signIn(with: .session("ada"))
        try await session.signOut()
        #expect(loader.value == "note 1")
    }

    @Test func `after an expiry the same user keeps a pending mutation, and it is carried out once`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        let loader = await shown()
        account.own(store)
        try await leavePending(in: loader, of: account)
        #expect(loader.value == "note 1!")
        #expect(server.bearers(of: "notes") == ["ada-1"])
        try await session.signIn(with: .session("ada", 5))
        await waitUntil { loader.pending.isEmpty }
        #expect(server.bearers(of: "notes") == ["ada-1", "ada-5"])
    }

    @Test func `another user after an expiry discards a pending mutation`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        let loader = await shown()
        account.own(store)
        try await leavePending(in: loader, of: account)
        try await session.signIn(with: .session("bea"))
        #expect(loader.value == nil)
        #expect(loader.pending.allSatisfy { $0.status == .failed })
        store.refresh()
        loader.load(1)
        await loader.settled()
        #expect(loader.value == "note 1")
        #expect(server.bearers(of: "notes") == ["ada-1"])
    }

    @Test func `a sign-out after an expiry discards a pending mutation`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        let loader = await shown()
        account.own(store)
        try await leavePending(in: loader, of: account)
        try await session.signOut()
        #expect(loader.value == nil)
        try await session.signIn(with: .session("ada", 5))
        #expect(server.bearers(of: "notes") == ["ada-1"])
    }

    @Test func `another user waits until the stores of other actors are reset`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        let window = Window()
        await window.show(for: account)
        #expect(await window.text == "note 1")
        try await session.signIn(with: .session("bea"))
        #expect(await window.text == nil)
    }

    @Test func `an account does not keep a store or its actor alive`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        weak var released: RecordStore<Int, String>?
        weak var gone: Window?
        do {
            let store = RecordStore<Int, String>()
            released = store
            account.own(store)
            let window = Window()
            gone = window
            await window.own(for: account)
        }
        while released != nil || gone != nil { await Task.yield() }
        account.own(store)
        try await session.signOut()
    }

    @Test func `a store of an account that has ended for good is reset at once`() async throws {
        let session = try server.session()
        let account = try await session.signIn(with: .session("ada"))
        try await session.signOut()
        let loader = await shown()
        account.own(store)
        #expect(loader.value == nil)
    }
}

/// A window with a store of its own.
private actor Window {
    private let store = RecordStore<Int, String>()
    private var loader: Loader<Int, String>?

    var text: String? { loader?.value }

    func own(for account: UserAccount<SessionMember>) {
        account.own(store)
    }

    func show(for account: UserAccount<SessionMember>) async {
        own(for: account)
        let loader = Loader(store: store) { id in "note \(id)" }
        self.loader = loader
        loader.load(1)
        await loader.settled()
    }
}
