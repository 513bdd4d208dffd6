import BackplaneFeatures
import Observation

/// The baseline for a loader's value.
@Observable private final class Bare {
    var value: Int? = 1
}

extension Operation {
    /// Reads the value of a loader that has no pending mutations.
    static func loaderValue(on owner: any Actor) -> Operation {
        let loader = Loader { (id: Int) in id }
        return Operation { count in
            // One load serves many thousand reads.
            loader.load(1, on: owner)
            await loader.settled()
            var sum = 0
            for _ in 0..<count { sum &+= loader.value ?? 0 }
            consume(sum)
        }
    }

    /// Reads an observed stored property.
    static func observedProperty() -> Operation {
        let bare = Bare()
        return Operation { count in
            var sum = 0
            for _ in 0..<count { sum &+= bare.value ?? 0 }
            consume(sum)
        }
    }

    /// Joins a load that is under way, and awaits its value.
    static func join() -> Operation {
        Operation { count in await Meeting().join(count) }
    }

    /// Suspends a task on a continuation that another task resumes.
    static func bareContinuation() -> Operation {
        Operation { count in await Meeting().suspend(count) }
    }
}

/// A meeting point where many tasks on one actor suspend, and continue when all of them have
/// arrived.
///
/// This repeats in rounds.
private actor Meeting {
    private let size = 500
    private var arrived = 0
    private var waiting: [CheckedContinuation<Int, Never>] = []

    /// Suspends `count` times in total, by joining loads.
    func join(_ count: Int) async {
        let loads = SharedLoads { (_: Int) in await self.suspend() }
        await hold(count) { round in
            // The load itself must arrive too.
            self.arrive(of: self.size + 1)
            return (try? await loads.value(for: round)) ?? 0
        }
    }

    /// Suspends `count` times in total, on continuations.
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

    /// Counts an arrival; the last one resumes all tasks, once it has suspended too.
    ///
    /// It resumes them from outside this actor, as a load does.
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
