import BackplaneConcurrency
import Testing

private final class Counter {
    var value = 0
}

private actor Owner {
    let counter = Counter()

    func start() -> Task<Void, Never> {
        let counter = counter
        let owner: any Actor = self
        return startTask(on: self) {
            owner.preconditionIsolated()
            counter.value += 1
            await Task.yield()
            owner.preconditionIsolated()
            counter.value += 1
        }
    }

    var value: Int { counter.value }
}

struct OwnerTaskTests {
    @Test func `a task started on an owner runs on it`() async {
        let owner = Owner()
        await owner.start().value
        #expect(await owner.value == 2)
    }

    @Test func `starting a task off its owner traps instead of racing`() async {
        await #expect(processExitsWith: .failure) {
            let owner = Owner()
            _ = startTask(on: owner) {}
        }
    }
}
