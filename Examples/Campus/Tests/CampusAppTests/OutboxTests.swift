import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import BackplaneStorage
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusDrafts
import CampusModels
import CampusNetworking
import CampusTestSupport
import CampusTestTools
import ComposerModels
import CourseModels
import DashboardModels
import Foundation
import GRDB
import Logging
import LoginModels
import ProductModels
import Screens
import Testing
import WebHost

@testable import CampusApp
@testable import CampusAssembly

/// Tests of changes that outlive the process, with the real API.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OutboxTests {
    private let vault = MemoryTokenVault()

    /// Runs `body` with an API that accepts faults, and a file of changes.
    private func withOutbox(
        _ faults: String = "",
        _ body: (TestAPI, URL) async throws -> Void
    ) async throws {
        let faults = try Faults(faults)
        try await withTemporaryDirectory { directory in
            try await withAPI(in: directory) {
                $0.faults = faults
            } _: { api in
                try await body(api, directory.appending(path: "outbox.sqlite"))
            }
        }
    }

    private func purchases(_ api: TestAPI) async throws -> [Product.ID] {
        let service = try CampusApp.service(at: api.url, over: transport)
        let session = UserSession<User>(over: service, user: .me, refresh: { .refresh($0) })
        let account = try await session.signIn(with: try await service.request(.login(DemoUsers.ada)))
        return try await account.controller.request(.purchases).map(\.product)
    }

    /// Makes a change of each kind after the API has stopped, and leaves the app without a word.
    ///
    /// - Returns: the URL of the API.
    private func makeChanges(in directory: URL, outbox: URL) async throws -> URL {
        var started: (run: CampusRun, url: URL)?
        var opened: (course: CourseModel, product: ProductModel, composer: ComposerModel)?
        try await withAPI(in: directory) { api in
            let run = try await CampusRun(api.url, vault, outbox: outbox)
            started = (run: run, url: api.url)
            opened = (
                course: try await run.open("/course/abc123"), product: try await run.open("/product/cards"),
                composer: try await run.compose("The engine runs.")
            )
        }
        let (run, url) = try #require(started)
        let (course, product, composer) = try #require(opened)
        course.todos.tick("abc123-2")
        product.setFavorite(true)
        product.buy()
        composer.send()
        await waitUntil { run.navigator.top?.screen === product }
        await waitUntil { product.onTheWay != nil && product.isFavoriteUnsaved }
        #expect(product.isFavorite)
        #expect(!product.canBuy)
        let dashboard = try #require(run.navigator.places.first?.screen as? DashboardModel)
        await waitUntil { dashboard.changes.count == 4 }
        #expect(dashboard.changes.allSatisfy { !$0.state.needsDecision })
        #expect(dashboard.messages.items.map(\.text) == ["The engine runs."])
        #expect(course.todos.unsaved == ["abc123-2"])
        run.close()
        return url
    }

    @Test(.rule("D9")) func `changes made while the API is down arrive once, after a crash of the app`() async throws {
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "outbox.sqlite")
            let url = try await makeChanges(in: directory, outbox: file)
            let outbox = try Outbox.campus(file: file)
            #expect(try await outbox.saved.map(\.kind).sorted() == ["favorites", "messages", "purchases", "todos"])
            try await withAPI(in: directory) {
                $0.port = url.port ?? 0
            } _: { api in
                let run = try await CampusRun(api.url, vault, outbox: file)
                try await outbox.drained()
                let device = try await api.anotherDevice()
                #expect(try await device.todos(of: "abc123").map(\.rev) == [1, 1, 0])
                #expect(try await device.messages(before: nil).messages.map(\.text) == ["The engine runs."])
                #expect(try await device.favorites() == ["cards"])
                #expect(try await purchases(api) == ["cards"])
                let dashboard: DashboardModel = try await run.page()
                await waitUntil { dashboard.changes.isEmpty }
            }
        }
    }

    @Test func `a purchase of an earlier run is pending, and cannot be made twice`() async throws {
        try await withOutbox("fail=/purchases") { api, file in
            do {
                let first = try await CampusRun(api.url, vault, outbox: file)
                let product: ProductModel = try await first.open("/product/cards")
                product.buy()
                await waitUntil { product.onTheWay != nil }
                first.close()
            }
            let second = try await CampusRun(api.url, vault, outbox: file)
            let product: ProductModel = try await second.open("/product/cards")
            await waitUntil { product.onTheWay != nil }
            #expect(!product.isPurchasing && !product.canBuy)
            product.buy()
            #expect(!product.isPurchasing)
            try await api.inject("")
            await waitUntil { product.onTheWay == nil }
            #expect(product.canBuy)
            #expect(try await purchases(api) == ["cards"])
        }
    }

    @Test func `an event to buy that is repeated after a crash makes one purchase`() async throws {
        try await withOutbox { api, file in
            let event = UUID()
            for _ in 0..<2 {
                let run = try await CampusRun(api.url, vault, outbox: file)
                let product: ProductModel = try await run.open("/product/cards")
                ScreenEvent.$identity.withValue(event) { product.buy() }
                await waitUntil { product.receipt != nil }
                run.close()
            }
            #expect(try await purchases(api) == ["cards"])
        }
    }

    @Test(arguments: ["", "fail=/courses/*/todos/*"])
    func `an event to tick that is repeated after a crash makes one change`(_ faults: String) async throws {
        try await withOutbox(faults) { api, file in
            let event = UUID()
            for _ in 0..<2 {
                let run = try await CampusRun(api.url, vault, outbox: file)
                let course: CourseModel = try await run.open("/course/abc123")
                ScreenEvent.$identity.withValue(event) { course.todos.tick("abc123-2") }
                await run.finishSaving()
                if faults.isEmpty { try await Outbox.campus(file: file).drained() }
                run.close()
            }
            #expect(try await Outbox.campus(file: file).saved.count == (faults.isEmpty ? 0 : 1))
            try await api.inject("")
            let last = try await CampusRun(api.url, vault, outbox: file)
            try await Outbox.campus(file: file).drained()
            #expect(try await api.anotherDevice().todos(of: "abc123").map(\.rev) == [1, 1, 0])
            last.close()
        }
    }

    @Test func `six tabs that press Buy at once make one purchase, and a press after it makes another`() async throws {
        try await withOutbox { api, file in
            var tabs = [try await CampusRun(api.url, vault, outbox: file)]
            for _ in 1..<6 { tabs.append(await CampusRun(beside: tabs[0])) }
            var pages: [ProductModel] = []
            for tab in tabs { pages.append(try await tab.open("/product/cards")) }
            let order = try #require(pages[0].order)
            #expect(Set(pages.map(\.order)) == [order])
            let event = UUID()
            for page in pages { ScreenEvent.$identity.withValue(event) { page.buy() } }
            await waitUntil { pages.allSatisfy { $0.receipt != nil } }
            #expect(try await purchases(api) == ["cards"])

            await waitUntil { pages.allSatisfy { $0.order != order && $0.canBuy } }
            #expect(Set(pages.map(\.order)).count == 1)
            ScreenEvent.$identity.withValue(UUID()) { pages[3].buy() }
            await waitUntil { pages[3].receipt != nil }
            #expect(try await purchases(api) == ["cards", "cards"])
            for tab in tabs { tab.close() }
        }
    }

    @Test(arguments: ["", "fail=/messages"])
    func `an event to send that is repeated after a crash makes one message`(_ faults: String) async throws {
        try await withOutbox(faults) { api, file in
            let event = UUID()
            for _ in 0..<2 {
                let run = try await CampusRun(api.url, vault, outbox: file)
                let composer = try await run.compose("The engine runs.")
                ScreenEvent.$identity.withValue(event) { composer.send() }
                let _: DashboardModel = try await run.page()
                if faults.isEmpty { try await Outbox.campus(file: file).drained() }
                run.close()
            }
            #expect(try await Outbox.campus(file: file).saved.count == (faults.isEmpty ? 0 : 1))
            try await api.inject("")
            let last = try await CampusRun(api.url, vault, outbox: file)
            let dashboard: DashboardModel = try await last.page()
            dashboard.tryNow()
            try await Outbox.campus(file: file).drained()
            let device = try await api.anotherDevice()
            #expect(try await device.messages(before: nil).messages.map(\.text) == ["The engine runs."])
            last.close()
        }
    }

    @Test func `a change is in the file when the app has finished saving`() async throws {
        try await withOutbox("fail=/purchases") { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let product: ProductModel = try await run.open("/product/cards")
            product.buy()
            // Not sooner than the task of the purchase has its turn, as after an event.
            await Task.yield()
            await run.finishSaving()
            #expect(try await Outbox.campus(file: file).saved.map(\.kind) == ["purchases"])
        }
    }

    @Test func `a refused purchase shows its reason, and can be made again`() async throws {
        try await withOutbox("reject=/purchases:1") { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let product: ProductModel = try await run.open("/product/cards")
            product.buy()
            await waitUntil { product.purchaseProblem != nil }
            #expect(product.purchaseProblem == "The campus is closed for changes right now.")
            #expect(product.canBuy)
            product.buy()
            await waitUntil { product.receipt != nil }
            #expect(try await purchases(api) == ["cards"])
            #expect(try await Outbox.campus(file: file).saved.isEmpty)
        }
    }

    /// Lets nothing be added to a file of changes, as on a full disk.
    private func fill(_ file: URL) throws {
        try DatabaseQueue(path: file.path).write { database in
            for table in ["operation", "fact"] {
                try database.execute(
                    sql: """
                        CREATE TRIGGER full_\(table) BEFORE INSERT ON \(table)
                        BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END
                        """
                )
            }
        }
    }

    @Test(.rule("D15"))
    func `on a full disk the composer keeps the message and its draft, and says why`() async throws {
        let (log, drafts) = (LogCapture(), DraftStore())
        try await withOutbox { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file, drafts: drafts) { log.logger.info("\($0)") }
            let dashboard: DashboardModel = try await run.page()
            try await run.compose("Do not lose me").cancel()
            await run.answer("Save")
            let _: DashboardModel = try await run.page()
            let composer: ComposerModel = try await run.open("/compose")
            #expect(composer.text == "Do not lose me")

            try fill(file)
            composer.send()
            await waitUntil { composer.problem != nil || run.navigator.top?.screen === dashboard }
            #expect(run.navigator.top?.screen === composer)
            #expect(composer.problem?.message == "Your changes cannot be saved right now. Try again later.")
            #expect(composer.text == "Do not lose me")
            #expect(dashboard.messages.items.isEmpty && dashboard.changes.isEmpty)
            #expect(try await drafts.latest(of: "ada")?.text == "Do not lose me")
        }
        #expect(await log.finish().contains { $0.contains("was not saved") })
    }

    @Test(.rule("D15"))
    func `an app whose file of changes is full is not ready`() async throws {
        try await withOutbox { api, file in
            let app = try CampusApp.webApp(api: api.url, over: transport, outbox: file)
            try await app.check?()
            try fill(file)
            await #expect(throws: StorageError.self) { try await app.check?() }
        }
    }

    @Test func `a refused message is edited at its position, and the next message is sent after it`() async throws {
        try await withOutbox { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let dashboard: DashboardModel = try await run.page()
            let first = try await run.compose("First")
            try await api.inject("invalid=/messages:1")
            first.send()
            await waitUntil { dashboard.changes.first?.state.needsDecision == true }
            // The composer closes when the message is saved, which the server may answer sooner.
            let _: DashboardModel = try await run.page()
            let refused = try #require(dashboard.changes.first)
            #expect(refused.text == "First")
            #expect(refused.kind == "To Charles Babbage")
            #expect(refused.state == .refused(reason: "The term is over, so this cannot be changed any more."))
            #expect(refused.actions == [.edit, .sendAgain, .discard])
            try await run.compose("Second").send()
            await waitUntil { dashboard.changes.map(\.state) == [refused.state, .needsRefused] }
            #expect(try await api.anotherDevice().messages(before: nil).messages.isEmpty)

            let _: DashboardModel = try await run.page()
            dashboard.edit(refused.id)
            let composer: ComposerModel = try await run.page()
            #expect(composer.draft.text == "First")
            #expect(composer.draft.recipients.names == "Charles Babbage")
            composer.write("First, again")
            composer.send()
            try await Outbox.campus(file: file).drained()
            let messages = try await api.anotherDevice().messages(before: nil).messages
            #expect(messages.map(\.text) == ["Second", "First, again"], "the newest first")
            await waitUntil { dashboard.changes.isEmpty }
        }
    }

    @Test func `a refused tick can be sent again or discarded, on the dashboard and on its page`() async throws {
        try await withOutbox { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let dashboard: DashboardModel = try await run.page()
            let course: CourseModel = try await run.open("/course/abc123")
            func refuse(_ todo: Todo.ID) async throws -> PendingChange {
                try await api.inject("invalid=/courses/*/todos/*:1")
                course.todos.tick(todo)
                await waitUntil {
                    dashboard.changes.first?.state.needsDecision == true && course.todos.unsaved.isEmpty
                }
                return try #require(dashboard.changes.first)
            }
            let refused = try await refuse("abc123-2")
            #expect(refused.text == "Write the table for the Bernoulli numbers")
            #expect(refused.kind == "To-do")
            #expect(refused.actions == [.sendAgain, .discard])
            #expect(course.todos.todos.value?.map(\.isDone) == [true, false, false])
            #expect(course.todos.todos.pending.map(\.error?.status) == [422])

            dashboard.sendAgain(refused.id)
            await waitUntil { course.todos.todos.value?.map(\.isDone) == [true, true, false] }
            await waitUntil { course.todos.todos.pending.isEmpty && dashboard.changes.isEmpty }
            let device = try await api.anotherDevice()
            #expect(try await device.todos(of: "abc123").map(\.rev) == [1, 1, 0])

            dashboard.discard(try await refuse("abc123-3").id)
            await waitUntil { dashboard.changes.isEmpty }
            _ = try await refuse("abc123-3")
            for change in course.todos.todos.pending { course.todos.dismiss(change: "\(change.id)") }
            await waitUntil { dashboard.changes.isEmpty && course.todos.todos.pending.isEmpty }
            #expect(try await device.todos(of: "abc123").map(\.rev) == [1, 1, 0])
            #expect(try await Outbox.campus(file: file).saved.isEmpty)
        }
    }

    @Test(arguments: [("Keep for the next sign-in", [1, 1, 0]), ("Discard", [1, 0, 0])])
    func `a sign-out asks whether to keep the changes that were not sent`(
        answer: String,
        revisions: [Int]
    ) async throws {
        let isKept = revisions == [1, 1, 0]
        try await withOutbox("fail=/courses/*/todos/*") { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let course: CourseModel = try await run.open("/course/abc123")
            course.todos.tick("abc123-2")
            let dashboard: DashboardModel = try await run.open("/")
            await waitUntil { dashboard.changes.count == 1 }
            dashboard.signOut()
            await run.answer("Cancel")
            await waitUntil { !dashboard.isBusy }
            #expect(run.navigator.top?.screen === dashboard)

            dashboard.signOut()
            await run.answer(answer)
            await waitUntil { run.navigator.top?.screen is LoginModel }
            let outbox = try Outbox.campus(file: file)
            #expect(try await outbox.saved.map(\.kind) == (isKept ? ["todos"] : []))
            try await api.inject("")
            await run.signIn()
            try await outbox.drained()
            #expect(try await api.anotherDevice().todos(of: "abc123").map(\.rev) == revisions)
        }
    }

    @Test(.rule("N9")) func `a sign-out without unsent changes asks nothing`() async throws {
        try await withOutbox { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let course: CourseModel = try await run.open("/course/abc123")
            course.todos.tick("abc123-2")
            await waitUntil { course.todos.unsaved.isEmpty }
            let dashboard: DashboardModel = try await run.open("/")
            dashboard.signOut()
            await waitUntil { run.navigator.top?.screen is LoginModel }
            #expect(run.navigator.topLayer.dialog == nil)
        }
    }

    @Test(.rule("R5")) func `after the session expires, a change is kept, and arrives after the next sign-in`()
        async throws
    {
        try await withOutbox { api, file in
            let run = try await CampusRun(api.url, vault, outbox: file)
            let course: CourseModel = try await run.open("/course/abc123")
            try await api.anotherDevice().endOtherSessions()
            course.todos.tick("abc123-2")
            await waitUntil { run.navigator.top?.screen is LoginModel }
            let outbox = try Outbox.campus(file: file)
            #expect(try await outbox.saved.map(\.kind) == ["todos"])
            await run.signIn()
            try await outbox.drained()
            #expect(try await api.anotherDevice().todos(of: "abc123").map(\.rev) == [1, 1, 0])
        }
    }
}
