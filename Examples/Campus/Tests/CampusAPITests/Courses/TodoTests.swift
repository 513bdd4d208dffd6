import CampusAPI
import CampusModels
import CampusTestTools
import Testing

/// Tests of changing to-dos, with idempotency keys and with conditions.
@Suite(.timeLimit(.minutes(5)))
struct TodoTests {
    private let path = "/courses/abc123/todos/abc123-2"

    @Test func `ticking and unticking a to-do return its new revision`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let ticked = try await api.put(path, TodoChange(isDone: true), token: token)
            #expect(ticked.status == 200)
            #expect(ticked.header("ETag") == ["\"1\""])
            let todo: Todo = try ticked.decoded()
            #expect(todo.id == "abc123-2")
            #expect(todo.isDone)
            #expect(todo.rev == 1)
            let todos: [Todo] = try await api.get("/courses/abc123/todos", token: token).decoded()
            #expect(todos.map(\.isDone) == [true, true, false])
            #expect(todos.contains(todo))

            let taken: Todo = try await api.put(path, TodoChange(isDone: false), token: token).decoded()
            #expect(!taken.isDone)
            #expect(taken.rev == 2)
            let grace = try await api.signIn(DemoUsers.grace).accessToken
            #expect(try await api.put(path, TodoChange(isDone: true), token: grace).status == 404, "not her course")
            #expect(try await api.put(path, TodoChange(isDone: true)).status == 401)
        }
    }

    @Test(.rule("D9")) func `a tick sent twice with one key increases the revision by one`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let first = try await api.put(path, TodoChange(isDone: true), token: token, key: "k", ifMatch: "\"0\"")
            let again = try await api.put(path, TodoChange(isDone: true), token: token, key: "k", ifMatch: "\"0\"")
            #expect(again.status == 200)
            #expect(again.body == first.body)
            #expect(again.header("ETag") == first.header("ETag"))
            let other = try await api.put(path, TodoChange(isDone: false), token: token, key: "k")
            #expect(try other.error.code == .keyReused)
            let elsewhere = "/courses/abc123/todos/abc123-3"
            let another = try await api.put(elsewhere, TodoChange(isDone: true), token: token, key: "k")
            #expect(try another.error.code == .keyReused)
            let todos: [Todo] = try await api.get("/courses/abc123/todos", token: token).decoded()
            #expect(todos.map(\.rev) == [1, 1, 0])
        }
    }

    @Test(arguments: [("\"0\"", 200), ("*", 200), ("\"7\" , \"0\"", 200), ("\"1\"", 412), ("W/\"0\"", 412), ("0", 412)])
    func `a tick is made only for the expected revision`(condition: String, status: Int) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answer = try await api.put(path, TodoChange(isDone: true), token: token, ifMatch: condition)
            #expect(answer.status == status)
            let todos: [Todo] = try await api.get("/courses/abc123/todos", token: token).decoded()
            #expect(todos[1].isDone == (status == 200))
            if status == 412 { #expect(try answer.error.code == .preconditionFailed) }
        }
    }

    @Test(arguments: ["nonsense", "lin201-1", "'%20OR%20''='"])
    func `a to-do that the course does not have cannot be ticked`(todo: String) async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answer = try await api.put("/courses/abc123/todos/\(todo)", TodoChange(isDone: true), token: token)
            #expect(answer.status == 404)
            #expect(try answer.error.code == .notFound)
        }
    }
}
