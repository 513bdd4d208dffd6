import BackplaneFeatures
import Observation

/// What a loader's value is compared with.
@Observable private final class Bare {
    var value: Int? = 1
}

extension Operation {
    /// The value of a loader is read, with nothing pending.
    static func loaderValue(on owner: any Actor) -> Operation {
        let loader = Loader { (id: Int) in id }
        return Operation { count in
            // Once for many thousand reads.
            loader.load(1, on: owner)
            await loader.settled()
            var sum = 0
            for _ in 0..<count { sum &+= loader.value ?? 0 }
            consume(sum)
        }
    }

    /// An observed stored property is read.
    static func observedProperty() -> Operation {
        let bare = Bare()
        return Operation { count in
            var sum = 0
            for _ in 0..<count { sum &+= bare.value ?? 0 }
            consume(sum)
        }
    }

    /// A load that is under way is joined, and its value awaited.
    static func join() -> Operation {
        Operation { count in await Meeting().join(count) }
    }

    /// A task suspends on a continuation, and another resumes it.
    static func bareContinuation() -> Operation {
        Operation { count in await Meeting().suspend(count) }
    }
}

/// Has many tasks on one actor suspend, and goes on when all of them have, over and over.
private actor Meeting {
    private let size = 500
    private var arrived = 0
    private var waiting: [CheckedContinuation<Int, Never>] = []

    /// Suspends `count` times in all, by joining loads.
    func join(_ count: Int) async {
        let loads = SharedLoads { (_: Int) in await self.suspend() }
        await hold(count) { round in
            // The load itself is one of those who have to come.
            self.arrive(of: self.size + 1)
            return (try? await loads.value(for: round)) ?? 0
        }
    }

    /// Suspends `count` times in all, on continuations.
    func suspend(_ count: Int) async {
        await hold(count) { _ in
            self.arrive(of: self.size)
            return await withCheckedContinuation { self.waiting.append($0) }
        }
    }

    private func suspend() async -> Int {
        arrive(of: size + 1)
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func hold(_ count: Int, _ meet: @escaping (_ round: Int) async -> Int) async {
        let rounds = count / size + 1
        let tasks = (0..<size).map { _ in
            Task {
                var sum = self.arrived
                for round in 0..<rounds { sum &+= await meet(round) }
                return sum
            }
        }
        for task in tasks { consume(await task.value) }
    }

    /// The last one has all resumed, once it has suspended too: from off this actor, as a load does.
    private func arrive(of expected: Int) {
        arrived += 1
        guard arrived == expected else { return }
        arrived = 0
        Task.detached {
            for continuation in await self.takeWaiting() { continuation.resume(returning: 1) }
        }
    }

    private func takeWaiting() -> [CheckedContinuation<Int, Never>] {
        defer { waiting = [] }
        return waiting
    }
}
