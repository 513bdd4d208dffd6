import BackplaneConcurrency
import BackplaneTesting
import Observation
import TestSupport
import Testing

@testable import BackplaneFeatures

@MainActor @Suite(.timeLimit(.minutes(5))) struct LoaderMutationTests {
    private func mutate(_ page: TodoPage, _ mutation: Mutation<[String]>) -> Task<Void, any Error> {
        Task { [todos = page.todos] in try await todos.mutate(mutation) }
    }

    @Test(.rule("M10")) func `a mutation is visible at once and ends when the server confirms`() async throws {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        await page.sends.requests(atLeast: 1)
        #expect(page.todos.value == ["one", "two"])
        #expect(page.todos.pending.map(\.label) == ["two"])
        #expect(page.todos.pending.map(\.status) == [.sending])
        page.sends.succeed(with: ["one", "TWO"])
        try await mutation.value
        #expect(page.todos.value == ["one", "TWO"])
        #expect(page.todos.pending.isEmpty)
        #expect(page.loads.ids == [1])
    }

    @Test(.rule("A2")) func `a mutation is visible before its caller suspends`() async throws {
        let page = await TodoPage.showing(["one"])
        var seen: [String]?
        let caller = Task { [todos = page.todos, mutation = page.append("two")] in
            // This task runs as soon as the call below suspends, and not earlier.
            Task { seen = todos.value }
            try await todos.mutate(mutation)
        }
        await page.sends.requests(atLeast: 1)
        #expect(seen == ["one", "two"])
        page.sends.succeed(with: nil)
        try await caller.value
    }

    @Test(.rule("A4")) func `a rejected mutation is undone with an error, and other mutations stay`() async throws {
        let page = await TodoPage.showing(["one"])
        let refused = mutate(page, page.append("two"))
        let accepted = mutate(page, page.append("three"))
        await page.sends.requests(atLeast: 1)
        #expect(page.todos.value == ["one", "two", "three"])
        #expect(page.todos.pending.map(\.status) == [.sending, .queued])
        page.sends.fail(with: Refused())
        let failure = await failure(of: refused)
        #expect(failure?.code == .rejected)
        #expect(failure?.cause is Refused)
        #expect(page.todos.value == ["one", "three"])
        #expect(page.todos.pending.map(\.status) == [.failed, .sending])
        #expect(page.todos.pending.first?.error?.code == .rejected)
        #expect(page.todos.state.error == nil, "A12: Mutation failures are tracked separately from load failures.")
        page.todos.dismiss(page.todos.pending[0].id)
        #expect(page.todos.pending.map(\.label) == ["three"])
        await page.sends.succeed(request: 2, with: nil)
        try await accepted.value
    }

    @Test(.rule("A2")) func `an enqueued mutation is visible in the same turn and pending until the server responds`()
        async throws
    {
        let page = await TodoPage.showing([])
        try page.todos.enqueue(page.append("a"))
        try page.todos.enqueue(page.append("b"))
        #expect(page.todos.value == ["a", "b"])
        #expect(page.todos.pending.map(\.label) == ["a", "b"])
        await page.sends.fail(request: 1, with: Refused())
        await page.sends.requests(atLeast: 2)
        #expect(page.todos.value == ["b"])
        #expect(page.todos.pending.map(\.status) == [.failed, .sending])
    }

    @Test func `enqueuing a mutation without a loaded value throws notLoaded`() {
        let error = #expect(throws: FeatureError.self) {
            try TodoPage().todos.enqueue(Mutation(.replace([])) { _ in })
        }
        #expect(error?.code == .notLoaded)
    }

    @Test(.rule("A6")) func `the merged response of a mutation becomes the value without another load`() async throws {
        let page = await TodoPage.showing(["read"])
        let rename = Mutation<[String]>(.edit { texts in texts[0] = "write" }, label: "rename") { _ in
            "WRITE"
        } merging: { response, texts in
            texts[0] = response
        }
        try await page.todos.mutate(rename)
        #expect(page.todos.value == ["WRITE"])
        #expect(!page.todos.state.isLoading)
        #expect(page.loads.ids.count == 1)
    }

    @Test(.rule("A5")) func `an unconfirmed mutation stays visible and is resent later with the same key`() async throws
    {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        for attempt in 1...3 {
            await page.sends.fail(request: attempt, with: NoAnswer())
            await page.clock.sleepers(atLeast: 1)
            #expect(page.todos.value == ["one", "two"])
            #expect(page.todos.pending.map(\.status) == [.unconfirmed])
            #expect(page.todos.pending.first?.error?.code == .unconfirmed)
            #expect(page.todos.pending.first?.error?.cause is NoAnswer)
            page.clock.advance(by: .seconds(30))
        }
        await page.sends.succeed(request: 4, with: nil)
        try await mutation.value
        #expect(page.todos.value == ["one", "two"])
        #expect(Set(page.sends.ids).count == 1)
    }

    @Test(.rule("A5", "U2"))
    func `a caller waits as long as the outcome is unknown, and the delays grow to five minutes`()
        async throws
    {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        for attempt in 1...20 {
            await page.sends.fail(request: attempt, with: NoAnswer())
            await page.clock.sleepers(atLeast: 1)
            page.clock.advance(by: .seconds(300))
        }
        await page.sends.succeed(request: 21, with: nil)
        try await mutation.value
        #expect(Set(page.sends.ids).count == 1)
    }

    @Test(.rule("A5")) func `a resend may start before the call that waits for it`() async throws {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        await page.sends.requests(atLeast: 1)
        withObservationTracking {
            _ = page.todos.pending
        } onChange: {
            // This closure runs after the send has failed and before its caller receives the
            // failure.
            MainActor.assumeIsolated { page.todos.retryPending() }
        }
        page.sends.fail(with: NoAnswer())
        await page.sends.succeed(request: 2, with: ["one", "two"])
        try await mutation.value
    }

    @Test(.rule("A5", "U2")) func `after the user resends a mutation, the delays are short again`() async throws {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        for attempt in 1...10 {
            await page.sends.fail(request: attempt, with: NoAnswer())
            await page.clock.sleepers(atLeast: 1)
            page.todos.retryPending()
            #expect(page.todos.pending.map(\.status) == [.sending])
        }
        await page.sends.fail(request: 11, with: NoAnswer())
        await page.clock.sleepers(atLeast: 1)
        page.clock.advance(by: .milliseconds(500))
        await page.sends.succeed(request: 12, with: nil)
        try await mutation.value
    }

    @Test(.rule("A5")) func `a mutation after an unconfirmed mutation waits, and does not resend it`() async throws {
        let page = await TodoPage.showing(["one"])
        let first = mutate(page, page.append("two"))
        await page.sends.fail(request: 1, with: NoAnswer())
        await page.clock.sleepers(atLeast: 1)
        let second = mutate(page, page.append("three"))
        await Task {}.value
        #expect(page.todos.pending.map(\.status) == [.unconfirmed, .queued])
        #expect(page.todos.value == ["one", "two", "three"])
        #expect(page.sends.ids.count == 1)
        page.clock.advance(by: .seconds(30))
        for attempt in 2...3 {
            await page.sends.succeed(request: attempt, with: nil)
        }
        try await first.value
        try await second.value
        #expect(page.todos.value == ["one", "two", "three"])
    }

    @Test(.rule("A5")) func `an unconfirmed mutation is resent at once when the store refreshes`() async throws {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        await page.sends.fail(request: 1, with: NoAnswer())
        await page.clock.sleepers(atLeast: 1)
        page.store.refresh()
        await page.sends.requests(atLeast: 2)
        page.clock.advance(by: .seconds(60))
        page.sends.succeed(with: ["one", "two"])
        try await mutation.value
        #expect(page.sends.ids.count == 2)
        #expect(page.todos.state.isLoading, "A9: The reload waits for the mutation.")
        await page.loads.requests(atLeast: 2)
    }

    @Test(.rule("A6", "A9")) func `a reload follows the last pending mutation if the server returned no value`()
        async throws
    {
        let page = await TodoPage.showing(["one"])
        let two = mutate(page, page.append("two"))
        let three = mutate(page, page.append("three"))
        await page.sends.succeed(request: 1, with: nil)
        try await two.value
        #expect(page.loads.ids == [1])
        await page.sends.succeed(request: 2, with: nil)
        try await three.value
        #expect(page.todos.state.isLoading)
        #expect(page.todos.value == ["one", "two", "three"])
        await page.answerLoad(with: ["1", "2", "3"])
        #expect(page.todos.value == ["1", "2", "3"])
        #expect(page.loads.ids == [1, 1])
    }

    @Test(.rule("A7"))
    func `two quick mutations stay visible during reloads, and no change is lost`() async throws {
        let page = await TodoPage.showing([])
        let ticks = ["a", "b"].map { mutate(page, page.append($0)) }
        await page.sends.requests(atLeast: 1)
        page.todos.reload()
        // The first load is from before the first mutation was performed, the second from after it.
        await page.answerLoad(with: [])
        #expect(page.todos.value == ["a", "b"])
        page.sends.succeed(with: ["a"])
        await page.sends.requests(atLeast: 2)
        #expect(page.todos.value == ["a", "b"])
        page.todos.reload()
        await page.answerLoad(with: ["a", "b"])
        #expect(page.todos.value == ["a", "b"])
        page.sends.succeed(with: ["a", "b"])
        for tick in ticks { try await tick.value }
        await page.answerLoad(with: ["a", "b"])
        #expect(page.todos.value == ["a", "b"])
        #expect(page.sends.ids.count == 2)
    }

    @Test(.rule("A7")) func `a load is shown together with a change that was not sent yet`() async throws {
        struct Offline: ServerFailure {
            let isRefusal = false
            let isMissing = false
            let mayHaveArrived = false
            let statusCode: Int? = nil
            let reason: String? = nil
            let retryAfter: Duration? = nil
        }
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        await page.sends.fail(request: 1, with: Offline())
        await page.clock.sleepers(atLeast: 1)
        page.todos.reload()
        await page.answerLoad(with: ["newer"])
        #expect(page.todos.value == ["newer", "two"])
        page.todos.retryPending()
        page.todos.reload()
        await page.answerLoad(with: ["newest", "two"])
        #expect(page.todos.value == ["newer", "two"], "The load may contain the change, which is under way.")
        await page.sends.succeed(request: 2, with: ["newest", "two"])
        try await mutation.value
        #expect(page.todos.value == ["newest", "two"])
    }

    @Test func `cancelling the caller ends the wait, and the mutation continues`() async throws {
        let page = await TodoPage.showing(["one"])
        let mutation = page.append("two")
        let impatient = mutate(page, mutation)
        let patient = mutate(page, mutation)
        await page.sends.requests(atLeast: 1)
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        #expect(page.todos.value == ["one", "two"])
        page.sends.succeed(with: nil)
        try await patient.value
        #expect(page.sends.ids == [mutation.id], "The second caller joins the running mutation.")
    }

    @Test func `a mutation continues after its loader is released`() async throws {
        let (loads, sends) = (LoadStub<Int, String>(), LoadStub<IdempotencyKey, Void>())
        var loader: Loader<Int, String>? = Loader { id in try await loads.load(id) }
        weak var gone: Loader<Int, String>?
        gone = loader
        loader?.load(1)
        await loads.succeed(request: 1, with: "one")
        await loader?.settled()
        let rename = Mutation<String>(.replace("two")) { key in try await sends.load(key) }
        let caller = Task { [loader] in try await loader?.mutate(rename) }
        await sends.requests(atLeast: 1)
        caller.cancel()
        _ = await caller.result
        loader = nil
        #expect(gone == nil)
        #expect(sends.cancelled.isEmpty)
        sends.succeed(with: ())
        #expect(loads.ids == [1])
    }

    @Test func `a pending mutation is still visible when the loader returns to its ID`() async throws {
        let (loads, sends) = (LoadStub<Int, String>(), LoadStub<IdempotencyKey, Void>())
        let loader = Loader<Int, String> { id in try await loads.load(id) }
        func load(_ id: Int, bringing value: String) async {
            let count = loads.ids.count
            loader.load(id)
            await loads.succeed(request: count + 1, with: value)
            await loader.settled()
        }
        await load(1, bringing: "one")
        let mutation = Mutation<String>(.edit { $0 += "!" }) { try await sends.load($0) }
        let caller = Task { try await loader.mutate(mutation) }
        await sends.requests(atLeast: 1)
        await load(2, bringing: "two")
        #expect(loader.value == "two")
        #expect(loader.pending.isEmpty)
        await load(1, bringing: "one")
        #expect(loader.value == "one!")
        #expect(loader.pending.map(\.id) == [mutation.id])
        await load(3, bringing: "three")
        sends.succeed(with: ())
        try await caller.value
        loader.load(1)
        #expect(loader.value == nil, "No mutation is pending, so the record was released.")
        loader.cancel()
    }

    @Test func `a loader can return to its previous ID after a mutation of that record settles`() async throws {
        let page = await TodoPage.showing(["one"])
        let mutation = mutate(page, page.append("two"))
        await page.sends.requests(atLeast: 1)
        page.todos.load(2)
        await page.loads.requests(atLeast: 2)
        page.sends.succeed(with: nil)
        try await mutation.value
        #expect(page.todos.id == 2, "The load of the other ID continues.")
        page.todos.cancel()
        #expect(page.todos.id == 1)
        #expect(page.todos.value == ["one", "two"])
        #expect(page.todos.state.isLoading, "The reload of the first ID was not needed before.")
        await page.loads.requests(atLeast: 3)
        page.loads.succeed(1, with: ["one", "two", "three"])
        await page.todos.settled()
        #expect(page.todos.value == ["one", "two", "three"])
    }

    @Test func `a mutation of a loader without an ID throws notLoaded`() async {
        let page = TodoPage()
        #expect(await failure(of: mutate(page, page.append("one")))?.code == .notLoaded)
    }

    @Test func `a loader with a private store undoes a definitely rejected mutation`() async {
        let loader = Loader<Int, String> { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        let mutation = Mutation<String>(.edit { $0 += "!" }) { _ in throw Refused() }
        await #expect(throws: FeatureError.self) { try await loader.mutate(mutation) }
        #expect(loader.value == "1")
    }

    @Test func `every step of a mutation is observed once`() async throws {
        let page = await TodoPage.showing(["one"])
        let changes = Watch { _ = page.todos.value }
        let mutation = mutate(page, page.append("two"))
        await page.sends.fail(request: 1, with: Refused())
        _ = await mutation.result
        // The first change shows the mutation. The second change removes it and starts the reload
        // that follows a rejection.
        #expect(changes.count == 2)
    }
}
