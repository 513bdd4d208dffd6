import BackplaneTesting
import Testing

@testable import CampusAPI

/// What is held waits for no clock, so that a test decides when it goes on.
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

    @Test func `what is held goes on when the faults are changed, to the fate it had then`() async throws {
        async let first = injector.apply(to: tick)
        await held(1)
        async let second = injector.apply(to: tick)
        await held(2)
        await injector.replace(with: .none)
        #expect(try await first == .unheard)
        #expect(try await second == .answered)
        #expect(await injector.held.isEmpty)
        #expect(try await injector.apply(to: tick) == .answered)
    }

    @Test func `what is held can be given up`() async throws {
        let request = Task { try await injector.apply(to: tick) }
        await held(1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
    }

    @Test func `what only reads is neither refused nor unheard, and uses up nothing`() async throws {
        await injector.replace(with: try Faults("reject=/todos/*:1,drop=/todos/*"))
        let read = FaultInjector.Subject(path: "/todos/1", carriesToken: true, writes: false)
        #expect(try await injector.apply(to: read) == .answered)
        await #expect(throws: APIFailure.self) { try await injector.apply(to: tick) }
        #expect(try await injector.apply(to: tick) == .unheard)
    }
}
