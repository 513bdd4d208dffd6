import CampusDrafts
import CampusModels
import Foundation
import Testing

/// Tests of drafts in memory and in a file.
@Suite(.timeLimit(.minutes(5)))
struct DraftStoreTests {
    private let grace = Contact(id: "grace", name: "Grace Hopper", role: .student)

    @Test func `another store on the same file reads saved drafts but no removed drafts`() async throws {
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "drafts.sqlite")
            let draft = Draft(recipients: [grace], text: "Half a thought")
            let store = DraftStore(file: file)
            try await store.save(draft, of: "ada")
            #expect(try await DraftStore(file: file).latest(of: "ada") == draft)
            try await store.remove(draft.id, of: "ada")
            #expect(try await DraftStore(file: file).latest(of: "ada") == nil)
        }
    }

    @Test func `the draft saved last is the latest, and the previous one follows after its removal`() async throws {
        let store = DraftStore()
        var first = Draft(text: "First")
        let second = Draft(text: "Second")
        try await store.save(first, of: "ada")
        try await store.save(second, of: "ada")
        #expect(try await store.latest(of: "ada") == second)
        first.text = "First again"
        try await store.save(first, of: "ada")
        #expect(try await store.latest(of: "ada") == first)
        try await store.remove(first.id, of: "ada")
        #expect(try await store.latest(of: "ada") == second)
    }

    @Test func `another user cannot read or remove a draft`() async throws {
        let store = DraftStore()
        let draft = Draft(text: "Mine")
        try await store.save(draft, of: "ada")
        #expect(try await store.latest(of: "grace") == nil)
        try await store.remove(draft.id, of: "grace")
        #expect(try await store.latest(of: "ada") == draft)
    }

    @Test func `an operation throws if the file cannot be opened, and the next operation tries again`() async throws {
        try await withTemporaryDirectory { directory in
            let folder = directory.appending(path: "later")
            let store = DraftStore(file: folder.appending(path: "drafts.sqlite"))
            await #expect(throws: (any Error).self) { try await store.latest(of: "ada") }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try await store.latest(of: "ada") == nil)
        }
    }
}
