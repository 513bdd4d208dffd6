import Backplane

/// Work that a script has started, and that waits until the script resumes it.
final class PlayedWork {
    fileprivate let work: Work
    fileprivate var task: Task<Void, Never>?
    fileprivate var hasBegun = false
    fileprivate var isOver = false
    fileprivate var wake: CheckedContinuation<Void, Never>?

    fileprivate init(_ work: Work) {
        self.work = work
    }
}

private struct WorkError: Error {}

/// Asynchronous work in scripts, and callers of `settled()`.
extension ScriptPlayer {
    func start(_ work: Work, as slot: any ScriptedSlot) {
        let played = PlayedWork(work)
        let number = works.count
        let body: nonisolated(nonsending) () async throws -> Void = {
            played.hasBegun = true
            if played.isOver { return }
            await withCheckedContinuation { played.wake = $0 }
            if played.isOver { return }
            played.isOver = true
            self.note(.resumed(work: number, isCancelled: Task.isCancelled))
            for step in played.work.steps { self.perform(step, as: slot) }
            if played.work.fails { throw WorkError() }
        }
        // A slot whose board has ended starts no work. Asked before, because the new work may
        // replace the work that starts it.
        let isStarting = slot.isLive
        let task =
            switch (work.key, work.lastsAsBoard) {
            case (let key?, let lasts):
                slot.task(TaskKey(stringLiteral: "\(key)"), lasting: lasts ? .board : .activation, body)
            case (nil, true): slot.task(nil, lasting: .board, body)
            case (nil, false): slot.task(body)
            }
        played.task = task
        if isStarting { works.append(played) }
    }

    /// Waits until the work of an entry has begun.
    ///
    /// Work that the entry has cancelled may never begin.
    func beginWork(from first: Int, isolation: isolated any Actor) async {
        for work in works[first...] {
            if work.task?.isCancelled == true { work.isOver = true }
            while !work.isOver, !work.hasBegun { await Task.yield() }
        }
    }

    func resume(_ number: Int, isolation: isolated any Actor) async {
        guard number >= 0, let work = works.around(number), !work.isOver else { return }
        work.wake?.resume()
        work.wake = nil
        await work.task?.value
    }

    func endWork(isolation: isolated any Actor) async {
        for work in works {
            work.isOver = true
            work.wake?.resume()
            work.wake = nil
            await work.task?.value
        }
        for (_, caller) in callers { _ = await caller.value }
        // The tasks refer to the player.
        works = []
        callers = []
    }

    func noteSettled(isolation: isolated any Actor) async {
        for handle in awaited {
            let caller = handles[handle].caller(isolation: isolation)
            callers.append((handle, caller))
            // The caller begins to wait.
            await Task.yield()
        }
        awaited = []
        for (handle, caller) in callers where handles[handle].state != .waiting {
            note(.settled(handle: handle, await caller.value))
        }
        callers.removeAll { handles[$0.handle].state != .waiting }
    }
}
