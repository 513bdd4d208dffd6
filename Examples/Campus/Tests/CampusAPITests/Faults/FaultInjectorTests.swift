import BackplaneTesting
import Testing

@testable import CampusAPI

/// Tests of held requests, which wait for a change of the faults and not for a clock.
@Suite(.timeLimit(.minutes(5)))
struct FaultInjectorTests {
    private let tick = FaultInjector.Subject(path: "/todos/1", carriesToken: true, writes: true)
    private let injector: FaultInjector

    init() throws {
        injector = FaultInjector(try Faults("hold=/todos/*,drop=/todos/*:1"), clock: ManualClock())
    }

    private func held(_ count: Int) async {
        while await injector.held.count < count, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a held request continues when the faults change, and its outcome does not change`() async throws {
        async let first = injector.apply(to: tick)
        await held(1)
        async let second = injector.apply(to: tick)
        await held(2)
        await injector.replace(with: .none)
        #expect(try await first == .unheard)
        #expect(try await second == .responded)
        #expect(await injector.held.isEmpty)
        #expect(try await injector.apply(to: tick) == .responded)
    }

    @Test func `a held request can be cancelled`() async throws {
        let request = Task { try await injector.apply(to: tick) }
        await held(1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
    }

    @Test func `a request that only reads is not rejected or dropped, and does not count for a fault`() async throws {
        await injector.replace(with: try Faults("reject=/todos/*:1,drop=/todos/*"))
        let read = FaultInjector.Subject(path: "/todos/1", carriesToken: true, writes: false)
        #expect(try await injector.apply(to: read) == .responded)
        await #expect(throws: APIFailure.self) { try await injector.apply(to: tick) }
        #expect(try await injector.apply(to: tick) == .unheard)
    }
}
