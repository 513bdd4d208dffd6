import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ElementMutationTests {
    fileprivate struct Todo: Identifiable, Equatable {
        let id: Int
        var text: String
        var isDone = false
    }

    private let sends = LoadStub<IdempotencyKey, Todo?>()
    private let todos: Loader<NoID, [Todo]>

    init() async {
        todos = Loader { [Todo(id: 1, text: "read"), Todo(id: 2, text: "write")] }
        todos.load()
        await todos.settled()
    }

    @Test(.rule("P4")) func `an element is updated, and its mutation is found by its ID`() async throws {
        try todos.enqueue(
            Mutation(.update(2) { $0.isDone = true }) { [sends] in
                try await sends.load($0)
            } merging: {
                try $1.place($0)
            }
        )
        #expect(todos.value?.map(\.isDone) == [false, true])
        #expect(todos.pending(of: 1).isEmpty)
        #expect(todos.pending(of: 2).count == 1)
        await sends.succeed(request: 1, with: Todo(id: 2, text: "write more", isDone: true))
        await waitUntil { todos.pending.isEmpty }
        #expect(todos.value?.map(\.text) == ["read", "write more"])
        #expect(!todos.state.isLoading)
    }

    @Test(.rule("A20")) func `an added element is shown once, even if the first value contains it`() async throws {
        let todos = Loader { [Todo(id: 1, text: "read"), Todo(id: 3, text: "by the server")] }
        todos.load()
        try todos.enqueue(Mutation(.append(Todo(id: 3, text: "new"))) { [sends] in try await sends.load($0) })
        await todos.settled()
        #expect(todos.value?.map(\.text) == ["read", "by the server"])
        try todos.enqueue(Mutation(.append(Todo(id: 4, text: "newer"))) { [sends] in try await sends.load($0) })
        #expect(todos.value?.map(\.id) == [1, 3, 4])
        await sends.succeed(request: 1, with: nil)
        await sends.succeed(request: 2, with: nil)
        await waitUntil { todos.pending.isEmpty }
    }

    @Test(.rule("P4")) func `a failed mutation is found by the ID of its element`() async throws {
        struct Refusal: DefiniteRejection {}
        try todos.enqueue(
            Mutation(.update(1) { $0.isDone = true }) { _ in throw Refusal() }
        )
        await waitUntil { todos.pending(of: 1).first?.status == .failed }
        #expect(todos.pending(of: 2).isEmpty)
        #expect(todos.value?.first?.isDone == false)
    }

    @Test(.rule("P4", "A3")) func `of quick changes of one property, only the last one is sent`() async throws {
        let sends = sends
        func set(_ isDone: Bool, _ id: Int) throws {
            try todos.enqueue(
                Mutation(.set(\.isDone, to: isDone, of: id)) {
                    try await sends.load($0)
                } merging: {
                    try $1.place($0)
                }
            )
        }
        try set(true, 1)
        for isDone in [false, true, false, true, false] { try set(isDone, 1) }
        try set(true, 2)
        #expect(todos.value?.map(\.isDone) == [false, true])
        let replies = [
            Todo(id: 1, text: "read", isDone: true), Todo(id: 1, text: "read"),
            Todo(id: 2, text: "write", isDone: true),
        ]
        for (index, reply) in replies.enumerated() {
            await sends.succeed(request: index + 1, with: reply)
        }
        await waitUntil { todos.pending.isEmpty }
        #expect(sends.ids.count == 3)
        #expect(todos.value?.map(\.isDone) == [false, true])
    }

    @Test(.rule("P4")) func `elements are added and removed`() async throws {
        let sends = sends
        try todos.enqueue(Mutation(.append(Todo(id: 3, text: "rest")), send: { try await sends.load($0) }))
        try todos.enqueue(Mutation(.remove(1), send: { try await sends.load($0) }))
        #expect(todos.value?.map(\.id) == [2, 3])
        #expect(todos.pending(of: 3).count == 1 && todos.pending(of: 1).count == 1)
    }

    @Test(.rule("P4")) func `a mutation of a missing element fails and is not sent`() async throws {
        try todos.enqueue(
            Mutation(.update(7) { $0.isDone = true }) { [sends] in try await sends.load($0) }
        )
        #expect(todos.pending(of: 7).first?.error?.code == .targetMissing)
        #expect(sends.ids.isEmpty)
    }

    @Test(.rule("P4")) func `an edit of a set is found by the ID of its element`() async throws {
        let sends = LoadStub<IdempotencyKey, Bool>()
        let favorites = Loader<NoID, Set<Int>> { [1] }
        favorites.load()
        await favorites.settled()
        try favorites.enqueue(Mutation(.edit(of: 2) { $0.insert(2) }) { try await sends.load($0) })
        try favorites.enqueue(Mutation(.edit(of: 1) { $0.remove(1) }) { try await sends.load($0) })
        #expect(favorites.value == [2])
        #expect([1, 2, 3].map { favorites.pending(of: $0).count } == [1, 1, 0])
    }
}

extension [ElementMutationTests.Todo] {
    /// Puts the item of a response in the place of the one with its ID.
    fileprivate mutating func place(_ todo: Element?) throws {
        guard let todo, let index = firstIndex(where: { $0.id == todo.id }) else { throw CancellationError() }
        self[index] = todo
    }
}
