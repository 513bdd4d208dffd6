import CampusDrafts
import CampusModels
import Screens

/// The drafts of one user; the errors have messages for users.
struct Drafts {
    let store: DraftStore
    let user: User.ID

    /// Returns the draft that was saved last; `nil` if there is none.
    func latest() async throws -> Draft? {
        try await perform(orSay: "Your saved draft cannot be opened right now.") {
            try await store.latest(of: user)
        }
    }

    /// Saves a draft.
    func save(_ draft: Draft) async throws {
        try await perform(orSay: "The draft cannot be saved right now. Send it, or copy the text.") {
            try await store.save(draft, of: user)
        }
    }

    /// Deletes a draft, if it was saved.
    ///
    /// A failure is ignored: the draft only appears again the next time.
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
