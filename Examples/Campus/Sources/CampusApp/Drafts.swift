import CampusDrafts
import CampusModels
import Screens

/// The drafts of one user; what goes wrong with them is said in words for people.
struct Drafts {
    let store: DraftStore
    let user: User.ID

    /// The draft that was kept last, if there is one.
    func latest() async throws -> Draft? {
        try await perform(orSay: "The draft that you kept cannot be opened right now.") {
            try await store.latest(of: user)
        }
    }

    /// Keeps a draft.
    func save(_ draft: Draft) async throws {
        try await perform(orSay: "The draft cannot be kept right now. Send it, or copy the text.") {
            try await store.save(draft, of: user)
        }
    }

    /// Forgets a draft, if it was kept.
    ///
    /// Nobody is held up by one that cannot be removed: it is there again next time.
    func remove(_ id: Draft.ID) async {
        try? await store.remove(id, of: user)
    }

    private func perform<Value>(orSay problem: String, _ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch {
            throw DisplayError(problem)
        }
    }
}
