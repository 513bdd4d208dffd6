import BackplaneFeatures
import BackplaneTesting
import Foundation
import Testing

private enum Course {
    typealias ID = String
}

private struct Todo: Identifiable {
    let id: String
    var isDone = false

    typealias ID = String
}

private struct TooLate: DefiniteRejection {}

private struct Message: Identifiable {
    let id: UUID
    var text: String
}

private struct HTTPFailure: Error {
    let status: Int
}

private enum Mutations {
    @MainActor final class TodoPage {
        let todos: Loader<Course.ID, [Todo]>
        private let tick: (Todo.ID, IdempotencyKey) async throws -> Void

        init(
            todos: @escaping (Course.ID) async throws -> [Todo],
            tick: @escaping (Todo.ID, IdempotencyKey) async throws -> Void
        ) {
            self.todos = Loader(todos)
            self.tick = tick
        }

        func tick(_ id: Todo.ID) async throws {
            let mutation = Mutation<[Todo]>(.update(id) { $0.isDone = true }, label: id) { key in
                try await self.tick(id, key)
            }
            try await todos.mutate(mutation)
        }
    }
}

extension Mutations {
    @MainActor @Test static func `a rejected mutation is undone, and another mutation stays`() async throws {
        var done: Set<Todo.ID> = []
        let page = TodoPage(
            todos: { _ in ["read", "write"].map { Todo(id: $0, isDone: done.contains($0)) } },
            tick: { id, _ in
                if id == "read" { throw TooLate() }
                done.insert(id)
            }
        )
        page.todos.load("abc123")
        await page.todos.settled()
        let reading = Task { try await page.tick("read") }
        try await page.tick("write")
        await #expect(throws: FeatureError.self) { try await reading.value }
        #expect(page.todos.value?.map(\.isDone) == [false, true])
        #expect(page.todos.pending.map(\.label) == ["read"])
    }

    @MainActor @Test static func `a store decides which errors are rejections`() async {
        let store = RecordStore<Course.ID, [Todo]>(isRejection: { error in
            guard let status = (error as? HTTPFailure)?.status else { return false }
            return (400..<500).contains(status) && ![401, 408, 425, 429].contains(status)
        })
        let todos = Loader(store: store) { _ in [Todo(id: "read")] }
        todos.load("abc123")
        await todos.settled()
        let mutation = Mutation<[Todo]>(.edit { $0 = [] }) { _ in
            throw HTTPFailure(status: 409)
        }
        await #expect(throws: FeatureError.self) { try await todos.mutate(mutation) }
        #expect(todos.value?.map(\.id) == ["read"])
    }

    @MainActor @Test static func `an inserted message is shown at once`() async throws {
        let sent = AsyncLatch()
        func inbox(after cursor: Int?) -> Page<Int, Message> {
            Page([Message(id: UUID(), text: "Welcome")])
        }
        func send(_ message: Message, _ key: IdempotencyKey) async throws {
            await sent.wait()
        }
        let messages = PagedLoader<Int, Message>(inbox)
        messages.load()
        await messages.settled()
        let greeting = Message(id: UUID(), text: "Hello")
        let sending = Task {
            try await messages.insert(greeting) { key in
                try await send(greeting, key)
            }
        }
        await sent.arrivals(atLeast: 1)
        #expect(messages.items.map(\.text) == ["Hello", "Welcome"])
        sent.open()
        try await sending.value
    }

    @MainActor @Test static func `a message with a server-made ID is corrected under that ID`() async throws {
        let posted = AsyncLatch()
        let id = UUID()
        var stored: [Message] = []
        func post(_ text: String, _ key: IdempotencyKey) async throws -> Message {
            await posted.wait()
            stored = [Message(id: id, text: text)]
            return stored[0]
        }
        func correct(_ id: UUID, _ text: String, _ key: IdempotencyKey) async throws {
            stored = [Message(id: id, text: text)]
        }
        let messages = PagedLoader<Int, Message> { _ in Page(stored) }
        messages.load()
        await messages.settled()
        let draft = Message(id: UUID(), text: "Hello")
        let sending = Task {
            try await messages.insert(draft) { key in
                try await post(draft.text, key)
            } confirming: { message in
                message
            }
        }
        await posted.arrivals(atLeast: 1)
        let correction = Mutation<Message>(.edit { message in message.text = "Hello!" }) { key in
            try await correct(messages.currentID(of: draft.id), "Hello!", key)
        }
        let correcting = Task { try await messages.mutate(correction, of: draft.id) }
        posted.open()
        try await sending.value
        try await correcting.value
        #expect(stored.map(\.id) == [id])
        #expect(messages.items.map(\.text) == ["Hello!"])
    }
}
