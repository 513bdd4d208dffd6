import BackplaneConcurrency
import Testing

private final class Counter {
    var value = 0
}

private actor Owner {
    let counter = Counter()

    var value: Int { counter.value }
}

private enum Traces {
    @TaskLocal static var id: String?
}

extension Owner {
    /// Returns the task-local value and the cancellation that a detached task on the owner sees.
    fileprivate func startDetached() async -> (trace: String?, isCancelled: Bool) {
        let counter = counter
        let owner: any Actor = self
        var found: (String?, Bool) = (nil, true)
        let task = startDetachedTask(on: self) {
            owner.preconditionIsolated()
            counter.value += 1
            await Task.yield()
            owner.preconditionIsolated()
            found = (Traces.id, Task.isCancelled)
        }
        await task.value
        return found
    }
}

struct DetachedOwnerTaskTests {
    @Test func `a detached task runs on its owner without the caller's task-local values and cancellation`() async {
        let owner = Owner()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Traces.$id.withValue("the caller's") { await owner.startDetached() }
        }
        let found = await caller.value
        #expect(found.trace == nil)
        #expect(!found.isCancelled)
        #expect(await owner.value == 1)
    }

    #if os(macOS) || os(Linux)
        @Test func `a detached task that is started outside its owner traps without a race`() async {
            await #expect(processExitsWith: .failure) {
                let owner = Owner()
                _ = startDetachedTask(on: owner) {}
            }
        }
    #endif
}
