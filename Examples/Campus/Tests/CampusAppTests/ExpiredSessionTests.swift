import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusModels
import CampusNetworking
import CampusTestTools
import CourseModels
import LoginModels
import Screens
import Testing

@testable import CampusAssembly

/// Tests of a tick whose request gets 401 from the real API, which also refuses the refresh.
///
/// Another device of the user has ended the session.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ExpiredSessionTests {
    @Test(.rule("R5", "R1"))
    func `after the session expires, a tick is kept, and is made once when its user signs in again`() async throws {
        try await withAPI { api in
            let service = try api.service()
            let session = UserSession<User>(over: service, user: .me, refresh: { .refresh($0) })
            let account = try await session.signIn(with: try await service.request(.login(DemoUsers.ada)))
            let clock = ManualClock()
            let store = RecordStore<Course.ID, [Todo]>(clock: clock)
            account.own(store)
            let todos = Loader<Course.ID, [Todo]>(store: store, for: { .todos(of: $0) }, from: account.controller)
            todos.load("abc123")
            await todos.settled()
            let device = try await api.anotherDevice()
            try await device.endOtherSessions()

            let tick = AuthenticatedIdempotentEndpoint.change("abc123-2", of: "abc123", to: TodoChange(isDone: true))
            let send = account.controller.sending(tick)
            let mutation = Mutation<[Todo]>(
                .update("abc123-2") { $0.isDone = true },
                send: send,
                merging: { changed, todos in todos[1] = changed }
            )
            try todos.enqueue(mutation)
            await waitUntil { todos.pending.first?.error != nil }
            #expect(account.ending == .expired)
            #expect(todos.value?.map(\.isDone) == [true, true, false])
            #expect(todos.pending.map(\.id) == [mutation.id])
            #expect(todos.pending.first?.error?.code == .unconfirmed)
            #expect(try await device.todos(of: "abc123").map(\.rev) == [1, 0, 0])

            try await session.signIn(with: try await service.request(.login(DemoUsers.ada)))
            await waitUntil { todos.pending.isEmpty }
            await todos.settled()
            #expect(todos.value?.map(\.isDone) == [true, true, false])
            #expect(try await device.todos(of: "abc123").map(\.rev) == [1, 1, 0])
            let ticks = await api.log().filter { $0.contains("PUT ") }
            #expect(ticks.count { $0.contains(" 401 ") } == 1)
            #expect(ticks.count { $0.contains(" 200 ") } == 1)
        }
    }

    @Test func `the end of a session does not decide about a tick, and the form shows why it ended`()
        async throws
    {
        try await withAPI { api in
            let session = try api.session(MemoryTokenVault())
            _ = try await session.signIn(with: DemoUsers.ada) {}
            let (motherboard, navigator) = (Motherboard.onMain(), ScreenNavigator.onMain(hasTransitions: false))
            CampusModules(navigator: navigator, service: session).install(on: motherboard)
            motherboard.open("/course/abc123")
            await waitUntil { (navigator.top?.screen as? CourseModel)?.isBusy == false }
            let list = try #require(navigator.top?.screen as? CourseModel).todos
            let device = try await api.anotherDevice()
            try await device.endOtherSessions()

            list.tick("abc123-2")
            await waitUntil { navigator.top?.screen is LoginModel }
            let form = try #require(navigator.top?.screen as? LoginModel)
            #expect(form.notice?.contains("You have been signed out") == true)
            #expect(!list.todos.pending.contains { $0.status == .failed })
            #expect(list.todos.value == nil)
            #expect(try await device.todos(of: "abc123").map(\.rev) == [1, 0, 0])
            motherboard.complete()
        }
    }
}
