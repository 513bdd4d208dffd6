import BackplaneConcurrency

/// One piece of asynchronous work of a board.
final class Work {
    let key: TaskKey?
    let lifetime: TaskLifetime
    /// The token in the work's task and in all tasks that it starts.
    ///
    /// It is `nil` if nothing can supersede or replace the work.
    fileprivate let token: WorkToken?
    fileprivate(set) var task: Task<Void, Never>?
    /// Whether its activation was superseded, or other work was started under its key.
    fileprivate(set) var isStale = false

    init(key: TaskKey?, lifetime: TaskLifetime, token: WorkToken?) {
        self.key = key
        self.lifetime = lifetime
        self.token = token
    }
}

/// A token that identifies one piece of work, as a task-local value.
///
/// It is an object, so it lives as long as any task can present it. Until then, no other token has
/// its address.
final class WorkToken: Sendable {
    // Written out, because `@TaskLocal` is a macro.
    static let current = TaskLocal<WorkToken?>(wrappedValue: nil)

    /// The depth of the work that calls; 0 outside of work.
    static var depth: Int { current.get()?.depth ?? 0 }

    /// The number of pieces of work in a row, each of which was started in a turn that the one
    /// before opened.
    let depth: Int

    init(depth: Int) {
        self.depth = depth
    }
}

/// The tokens of work that may still run but must have no effect.
struct StaleWork {
    private struct Entry {
        weak var token: WorkToken?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var questions = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ token: WorkToken) {
        entries[ObjectIdentifier(token)] = Entry(token: token)
    }

    /// Returns whether this contains the token, and removes tokens that no task holds any longer.
    mutating func contains(_ token: WorkToken?) -> Bool {
        // The objects are compared too, because a new token may have the address of an ended one.
        if let token, entries[ObjectIdentifier(token)]?.token === token { return true }
        questions += 1
        if questions >= entries.count {
            questions = 0
            entries = entries.filter { $0.value.token != nil }
        }
        return false
    }
}

extension AnyLiveBoard {
    /// Traps, in debug builds, if a live board is used off its actor.
    @inline(__always)
    final func checkOwner() {
        #if DEBUG
            // The owner of an ended board may no longer exist.
            if isLive { scheduler.checkOwner() }
        #endif
    }

    /// Whether the slot obeys its caller: the board is live, and the caller is not stale work.
    @inline(__always)
    final var obeysCaller: Bool {
        guard isLive else { return false }
        // The owner of an ended board may no longer exist.
        scheduler.checkOwner()
        return !(hasStaleWork && isCalledByStaleWork)
    }

    /// Whether the caller is work of an earlier activation, or work that other work of its key
    /// replaced.
    ///
    /// Inside a turn this is `false`. Flows, boards and handlers run there, and any work may have
    /// opened the turn.
    private final var isCalledByStaleWork: Bool {
        guard let extras, !scheduler.isOpen else { return false }
        let isStale = extras.staleWork.contains(WorkToken.current.get())
        hasStaleWork = !extras.staleWork.isEmpty
        return isStale
    }

    /// Runs `call` so that its tasks do not count as tasks of the work that opened the turn.
    final func withoutWork(_ call: () -> Void) {
        // The new token is no work's, and keeps the depth.
        WorkToken.current.withValue(WorkToken(depth: WorkToken.depth), operation: call)
    }

    /// Starts work of an activation or of the board; later work under the same key replaces it.
    final func startWork(
        _ key: TaskKey? = nil,
        lasting lifetime: TaskLifetime = .activation,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        guard obeysCaller else { return Task {} }
        let extras = needExtras()
        let replaced = key.map { key in setAside { $0.key == key } } ?? []
        let token = WorkToken(depth: WorkToken.depth + 1)
        let work = Work(key: key, lifetime: lifetime, token: token)
        extras.works.append(work)
        untypedEntry.raise(.taskStarted, of: self) { "Started work." }
        scheduler.noteWork(atDepth: token.depth, of: self)
        let task = WorkToken.current.withValue(token) { run(work, operation) }
        work.task = task
        // An observer may have ended the board.
        if !isLive || work.isStale { task.cancel() }
        // Last, because cancellation handlers run here.
        for work in replaced { work.task?.cancel() }
        return task
    }

    /// Starts the only work of a board with one activation; nothing supersedes or replaces it.
    ///
    /// - Parameters:
    ///   - immediately: whether the work starts before this method returns, if the system supports
    ///     that. It must be `false` inside a turn.
    ///   - depth: the depth of the work that activated the board.
    ///   - operation: the work.
    final func startOnlyWork(
        immediately: Bool,
        after depth: Int,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) {
        let work = Work(key: nil, lifetime: .board, token: nil)
        needExtras().works.append(work)
        untypedEntry.raise(.taskStarted, of: self) { "Started work." }
        scheduler.noteWork(atDepth: depth + 1, of: self)
        let task = WorkToken.current.withValue(WorkToken(depth: depth + 1)) {
            run(work, immediately: immediately, operation)
        }
        work.task = task
        // An observer or the work itself may have ended the board.
        if !isLive { task.cancel() }
    }

    private final func run(
        _ work: Work,
        immediately: Bool = false,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        startTask(on: scheduler.owner, immediately: immediately) {
            do {
                try await operation()
            } catch is CancellationError {
                // Cancellation is not a failure.
            } catch {
                if !work.isStale { self.complete(.failed(error)) }
            }
            self.end(work)
        }
    }

    /// Cancels the work of the previous activation, which has no effect from now on.
    ///
    /// Must be called after the generation has changed and before the board is activated.
    final func supersedeWork() {
        guard let extras, !extras.works.isEmpty else { return }
        for work in setAside(where: { $0.lifetime == .activation }) { work.task?.cancel() }
    }

    /// Cancels all work when the board ends.
    final func cancelWork() {
        guard let extras else { return }
        let works = extras.works
        extras.works = []
        for work in works { work.task?.cancel() }
    }

    /// Removes work from the list and marks it as stale; the caller cancels it.
    private final func setAside(where isOver: (Work) -> Bool) -> [Work] {
        guard let extras else { return [] }
        let works = extras.works.filter(isOver)
        if works.isEmpty { return [] }
        extras.works.removeAll(where: isOver)
        for work in works {
            work.isStale = true
            if let token = work.token { extras.staleWork.add(token) }
        }
        hasStaleWork = true
        return works
    }

    private final func end(_ work: Work) {
        if let extras, let index = extras.works.firstIndex(where: { $0 === work }) { extras.works.remove(at: index) }
        untypedEntry.raise(.taskEnded, of: self) { "Ended work." }
    }
}
