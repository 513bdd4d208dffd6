// The sample of Documentation/Map.md about a mutation, with a test.

import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import Testing

struct CourseTodo: Codable, Identifiable, Sendable {
    let id: String
    var isDone: Bool
}

enum SelfSufficient {
    @MainActor struct CourseLoader {
        let account: AuthenticatedNetworkController
        let todos: Loader<String, [CourseTodo]>
        var state: LoadState<[CourseTodo]> { todos.state }

        init(account: AuthenticatedNetworkController) {
            self.account = account
            todos = Loader(for: { .todos(of: $0) }, from: account)
        }

        func load(id: String) { todos.load(id) }

        func markTodoCompleted(todoId: String) throws {
            try todos.enqueue(Mutation(.set(\.isDone, to: true, of: todoId), send: account.sending(.complete(todoId))))
        }
    }
}

extension AuthenticatedEndpoint<[CourseTodo]> {
    static func todos(of course: String) -> Self { Self(.get("courses/\(course)/todos")) }
}

extension AuthenticatedEndpoint<Void> {
    static func complete(_ todo: String) -> Self { Self(.put("todos/\(todo)/completion")) }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct MapSampleTodos {
    private let api = NetworkStub()

    private func makeCourse() throws -> SelfSufficient.CourseLoader {
        let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
        let tokens = NetworkTokens(access: AccessToken(rawValue: "a"))
        let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
        return SelfSufficient.CourseLoader(account: account)
    }

    @Test func `completed to-dos show at once, and a refused one is undone`() async throws {
        api.respond(
            to: .get,
            "courses/abc123/todos",
            with: .json(#"[{"id":"read","isDone":false},{"id":"write","isDone":false}]"#),
            .json(#"[{"id":"read","isDone":true},{"id":"write","isDone":false}]"#)
        )
        api.respond(to: .put, "todos/read/completion", with: .json("{}"))
        api.respond(to: .put, "todos/write/completion", with: .status(.conflict))
        let course = try makeCourse()
        course.load(id: "abc123")
        await course.todos.settled()
        try course.markTodoCompleted(todoId: "read")
        try course.markTodoCompleted(todoId: "write")
        #expect(course.state.value?.map(\.isDone) == [true, true])
        await waitUntil { course.todos.pending.map(\.status) == [.failed] }
        #expect(course.todos.value?.map(\.isDone) == [true, false])
        #expect(course.todos.pending(of: "write").first?.error?.status == 409)
    }
}
