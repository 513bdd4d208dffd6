import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct IdempotentActionTests {
    private struct NoAnswer: Error {}
    private struct Refusal: DefiniteRejection {}

    /// A status from 400 to 499.
    private struct Status: ServerFailure {
        let statusCode: Int?
        var isOfDeletion = false
        var isRefusal: Bool { statusCode != 401 }
        var isMissing: Bool { false }
        var reason: String? { nil }
        var retryAfter: Duration? { nil }
    }

    private final class Shop {
        var keys: [String: [IdempotencyKey]] = [:]
        var errors: [any Error] = []

        func buy(_ product: String, _ key: IdempotencyKey) throws -> Int {
            keys[product, default: []].append(key)
            if !errors.isEmpty { throw errors.removeFirst() }
            return 1
        }
    }

    private let shop = Shop()

    private func action() -> IdempotentAction<String, Int> {
        let shop = shop
        return IdempotentAction { product, key in try shop.buy(product, key) }
    }

    @Test(.rule("R8")) func `an input keeps its key until its outcome is known`() async throws {
        let buy = action()
        shop.errors = [NoAnswer(), NoAnswer()]
        await #expect(throws: NoAnswer.self) { _ = try await buy("pen") }
        await #expect(throws: NoAnswer.self) { _ = try await buy("pen") }
        _ = try await buy("ink")
        _ = try await buy("pen")
        _ = try await buy("pen")
        let keys = try #require(shop.keys["pen"])
        #expect(keys[0] == keys[1] && keys[1] == keys[2])
        #expect(keys[3] != keys[2])
        #expect(shop.keys["ink"]?.first != keys[0])
    }

    @Test(.rule("R8")) func `a refusal ends the use of a key`() async throws {
        let buy = action()
        shop.errors = [Refusal()]
        await #expect(throws: Refusal.self) { _ = try await buy("pen") }
        _ = try await buy("pen")
        let keys = try #require(shop.keys["pen"])
        #expect(Set(keys).count == 2)
    }

    @Test(.rule("N23", "U7"), arguments: [409, 426, 402])
    func `after a lost response, its error is thrown instead of a later refusal`(status: Int) async throws {
        let buy = action()
        shop.errors = [Status(statusCode: 401), NoAnswer(), Status(statusCode: status), Status(statusCode: 422)]
        await #expect(throws: Status.self) { _ = try await buy("pen") }
        for _ in 1...2 { await #expect(throws: NoAnswer.self) { _ = try await buy("pen") } }
        // The server's statement about the key.
        let error = await #expect(throws: Status.self) { _ = try await buy("pen") }
        #expect(error?.statusCode == 422)
    }

    @Test(.rule("D27", "U7"), arguments: [(409, 1), (426, 1), (402, 1), (401, 1), (404, 2), (422, 2)])
    func `after a lost response, only a response about the key ends its use`(status: Int, keys: Int) async throws {
        let buy = action()
        shop.errors = [NoAnswer(), Status(statusCode: status)]
        for _ in 1...2 { await #expect(throws: (any Error).self) { _ = try await buy("pen") } }
        _ = try await buy("pen")
        #expect(Set(try #require(shop.keys["pen"])).count == keys)
    }

    @Test(.rule("D27"), arguments: [[409], [401, 409]])
    func `without an earlier attempt, a conflict ends the use of a key`(statuses: [Int]) async throws {
        let buy = action()
        shop.errors = statuses.map { Status(statusCode: $0) }
        for _ in statuses { await #expect(throws: Status.self) { _ = try await buy("pen") } }
        _ = try await buy("pen")
        #expect(Set(try #require(shop.keys["pen"])).count == 2)
    }

    @Test(.rule("U7"), arguments: [true, false])
    func `a call for an input that is already running joins the running call`(isSuccess: Bool) async throws {
        let latch = AsyncLatch()
        var keys: [IdempotencyKey] = []
        let buy = IdempotentAction<String, Int> { _, key in
            keys.append(key)
            await latch.wait()
            if !isSuccess { throw NoAnswer() }
            return keys.count
        }
        let began = Watched(0)
        func tap() -> Task<Int?, Never> {
            Task {
                began.update { $0 += 1 }
                return try? await buy("pen")
            }
        }
        let taps = [tap(), tap()]
        await began.wait { $0 == 2 }
        latch.open()
        for tap in taps { #expect(await tap.value == (isSuccess ? 1 : nil)) }
        #expect(keys.count == 1)
        _ = try? await buy("pen")
        #expect(Set(keys).count == (isSuccess ? 2 : 1))
    }

    @Test(.rule("U7")) func `if a call is cancelled, a joined call performs the action with its key`()
        async throws
    {
        let latches = [AsyncLatch(), AsyncLatch()]
        var keys: [IdempotencyKey] = []
        let buy = IdempotentAction<String, Int> { _, key in
            keys.append(key)
            await latches[keys.count - 1].wait()
            try Task.checkCancellation()
            return keys.count
        }
        let first = Task { try await buy("pen") }
        await latches[0].arrivals(atLeast: 1)
        let began = Watched(0)
        func join() -> Task<Int, any Error> {
            Task {
                began.update { $0 += 1 }
                return try await buy("pen")
            }
        }
        let (second, third) = (join(), join())
        await began.wait { $0 == 2 }
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        first.cancel()
        for latch in latches { latch.open() }
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == 2)
        #expect(Set(keys).count == 1)
    }

    @Test(.rule("U7")) func `if a cancelled call is refused, a joined call gets the refusal`() async {
        let (latch, began) = (AsyncLatch(), Watched(0))
        var keys: [IdempotencyKey] = []
        let buy = IdempotentAction<String, Int> { _, key in
            keys.append(key)
            await latch.wait()
            throw Refusal()
        }
        func tap() -> Task<Int, any Error> {
            Task {
                began.update { $0 += 1 }
                return try await buy("pen")
            }
        }
        let (first, second) = (tap(), tap())
        await began.wait { $0 == 2 }
        first.cancel()
        latch.open()
        for call in [first, second] { await #expect(throws: Refusal.self) { try await call.value } }
        #expect(keys.count == 1)
    }

    @Test(.rule("U7")) func `a call from the closure does not wait for itself, and has the same key`() async throws {
        final class Own { var buy: IdempotentAction<String, Int>? }
        let own = Own()
        var keys: [IdempotencyKey] = []
        own.buy = IdempotentAction<String, Int> { [own] product, key in
            keys.append(key)
            return keys.count < 2 ? try await own.buy!(product) : keys.count
        }
        defer { own.buy = nil }
        #expect(try await own.buy!("pen") == 2)
        #expect(Set(keys).count == 1)
        #expect(try await own.buy!("pen") == 3)
        #expect(Set(keys).count == 2)
    }

    @Test(.rule("U7")) func `a call by way of another action does not wait for itself either`() async throws {
        final class Own { var buy: IdempotentAction<String, Int>? }
        let own = Own()
        var keys: [IdempotencyKey] = []
        let pay = IdempotentAction<String, Int> { [own] product, _ in try await own.buy!(product) }
        own.buy = IdempotentAction<String, Int> { product, key in
            keys.append(key)
            return keys.count < 2 ? try await pay(product) : keys.count
        }
        defer { own.buy = nil }
        #expect(try await own.buy!("pen") == 2)
        #expect(Set(keys).count == 1)
    }

    @Test(.rule("D27", "U7")) func `if a repeated deletion finds nothing, this ends the use of its key`() async throws {
        let erase = action()
        shop.errors = [NoAnswer(), Status(statusCode: 404, isOfDeletion: true)]
        for _ in 1...2 { _ = try? await erase("pen") }
        _ = try await erase("pen")
        let keys = try #require(shop.keys["pen"])
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
    }
}
