import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import Testing

/// A note of the server.
struct Note: Codable, Equatable, Identifiable, Sendable {
    let id: String
    var text: String
    /// The version on the server.
    var tag: String?
}

/// A change of a note.
enum NoteChange: RecordChange {
    case create(Note)
    case write(String)
    case append(String)

    var intent: Intent<Note> {
        switch self {
        case .create(let note): .replace(note)
        case .write(let text): .edit { $0.text = text }
        case .append(let text): .edit { $0.text += text }
        }
    }

    /// The text that the server receives.
    var words: String {
        switch self {
        case .create(let note): "new \(note.text)"
        case .write(let text): text
        case .append(let text): "+\(text)"
        }
    }
}

extension AuthenticatedIdempotentEndpoint<Void> {
    static func send(_ change: NoteChange, to note: String) -> Self { .write(change.words, to: note) }
}

extension AuthenticatedIdempotentEndpoint<Note> {
    /// Sends a change, and returns the note as the server has it then.
    static func save(_ change: NoteChange, of note: String) -> Self {
        Self(.put("notes/\(note)", body: .json(["text": change.words])))
    }
}

extension ChangeSender<String, Note> {
    /// Sends changes by an outbox, those of a note in order.
    static func durable(_ outbox: AccountOutbox) -> Self {
        Self(as: .notes, through: outbox) {
            (change: NoteChange, note: String) -> AuthenticatedIdempotentEndpoint<Void> in
            .send(change, to: note)
        }
    }

    /// Sends changes by an outbox, each as a thing of its own with its words as the name.
    static func eachAlone(_ outbox: AccountOutbox) -> Self {
        Self(
            as: .notes,
            through: outbox,
            entity: { (change: NoteChange, _: String) -> String? in change.words },
            endpoint: { (change: NoteChange, note: String) -> AuthenticatedIdempotentEndpoint<Void> in
                .send(change, to: note)
            }
        )
    }

    /// Sends changes by an outbox to a server that replaces the IDs of new notes.
    static func renaming(_ outbox: AccountOutbox) -> Self {
        Self(
            as: .notes,
            through: outbox,
            confirming: { (note: Note) -> Note? in note },
            identity: { (note: Note) -> String? in note.id },
            endpoint: { (change: NoteChange, id: String) -> AuthenticatedIdempotentEndpoint<Note> in
                .save(change, of: id)
            }
        )
    }

    /// Sends changes without an outbox.
    static func inMemory(_ controller: AuthenticatedNetworkController) -> Self {
        Self { (change: NoteChange, note: String, key: IdempotencyKey) in
            try await controller.request(AuthenticatedIdempotentEndpoint<Void>.send(change, to: note), key: "\(key)")
        }
    }
}

/// A feature that shows and changes one note, and knows nothing of an outbox.
@MainActor
final class NotePage {
    let loads = LoadStub<String, Note>()
    let store: RecordStore<String, Note>
    let note: Loader<String, Note>

    init(sending sender: ChangeSender<String, Note>) {
        store = RecordStore(entityTag: { $0.tag }, sending: sender)
        note = Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    /// Loads the note "a" with a text.
    func show(_ text: String, tag: String? = nil) async {
        note.load("a")
        await answer(text, tag: tag)
    }

    /// Completes the pending load, or the next one.
    func answer(_ text: String, tag: String? = nil) async {
        await loads.requests(atLeast: loads.ids.count + (loads.pending.isEmpty ? 1 : 0))
        loads.succeed(with: Note(id: "a", text: text, tag: tag))
        await note.settled()
    }

    /// Makes a change, and returns when it is on the disk.
    func save(_ change: NoteChange, after others: Set<IdempotencyKey> = []) async throws -> IdempotencyKey {
        let id = try note.enqueue(change, label: change.words, after: others)
        try await note.saved(id)
        return id
    }

    /// The labels of the pending changes with their progress.
    var pending: [String] { note.pending.map { "\($0.label ?? "change"): \($0.status)" } }
}

/// A feature that shows a list of notes.
@MainActor
final class NoteList {
    let pages = LoadStub<Int?, Page<Int, Note>>()
    let list: PagedLoader<Int, Note>

    init(_ store: RecordStore<String, Note>) {
        list = PagedLoader(store: store) { [pages] cursor in try await pages.load(cursor) }
    }

    /// Loads the list with these notes.
    func show(_ notes: [Note]) async {
        list.load()
        await answer(notes)
    }

    func answer(_ notes: [Note]) async {
        await pages.requests(atLeast: pages.ids.count + (pages.pending.isEmpty ? 1 : 0))
        pages.succeed(with: Page(notes, next: nil))
        await list.settled()
    }
}
