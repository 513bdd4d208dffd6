import BackplaneConcurrency
import BackplaneTesting
import Foundation
import Observation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WaitUntilTests {
    @Observable final class Model {
        var count = 0
        var name = ""
    }

    @Test @MainActor func `if a condition is true, there is no wait`() async {
        let model = Model()
        await waitUntil { model.count == 0 }
    }

    @Test @MainActor func `a wait ends after the change that makes its condition true`() async {
        let model = Model()
        let task = Task {
            await waitUntil { model.count == 2 && model.name == "b" }
            return model.count
        }
        for count in 1...2 {
            await Task.yield()
            model.count = count
        }
        await Task.yield()
        model.name = "b"
        #expect(await task.value == 2)
    }

    @Test(.rule("N35")) @MainActor func `a wait for a value that cannot be observed fails at once`() async {
        let found = await failuresLater { await waitUntil { false } }
        #expect(found.count == 1)
        #expect(found.first?.message.contains("reads nothing observable") == true)
        // A value that is read only in some cases does not matter here.
        let model = Model()
        var isReady = false
        let task = Task { await waitUntil { isReady || model.count == 1 } }
        await Task.yield()
        isReady = true
        model.count = 1
        await task.value
    }

    /// Whether another thread changes the value just after it was read is a matter of chance.
    @Test(.rule("N35")) func `a wait notices changes that another thread makes at any moment`() async {
        final class Count: Observable, Sendable {
            private let registrar = ObservationRegistrar()
            private let count = Locked(0)
            var value: Int {
                registrar.access(self, keyPath: \.value)
                return count.withLock { $0 }
            }

            func add() {
                registrar.withMutation(of: self, keyPath: \.value) { count.withLock { $0 += 1 } }
            }
        }
        let count = Count()
        let isOver = Locked(false)
        // A thread of its own, because a task without a pause would take one from all other tests.
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { count.add() }
        }
        var looks = 0
        await waitUntil(within: .seconds(240)) {
            looks += 1
            return count.value < 0 || looks == 5_000
        }
        isOver.withLock { $0 = true }
    }

    @Test(.rule("N35")) @MainActor func `a wait that times out fails the test at the line of the call`() async {
        let model = Model()
        let failures = await failuresLater { await waitUntil(within: .zero) { model.count == 1 } }
        #expect(failures.map(\.message) == ["The condition did not hold within 0.0 seconds."])
        #expect(failures.map(\.line) == [#line - 2])
    }

    @Test @MainActor func `a wait ends when its task is cancelled`() async {
        let model = Model()
        let task = Task { await waitUntil { model.count == 1 } }
        await Task.yield()
        task.cancel()
        await task.value
        #expect(model.count == 0)
    }

    @Test func `a wait stays on the actor of its caller`() async {
        actor Desk {
            let model = Model()
            func run() async {
                let task = Task { model.count = 1 }
                await waitUntil { model.count == 1 }
                await task.value
            }
        }
        await Desk().run()
    }
}
