internal import BackplaneConcurrency

/// The rules C3–C11 of shared loads, without tasks, clocks or continuations: each event changes the
/// state and returns effects.
///
/// Callers of the same key form a *group*, which receives one result. A group has one load at a
/// time. If another load replaces it, all callers of the group stay together and wait for the new
/// load.
///
/// Only the table of open groups uses keys. All other types are concrete, because joins are
/// frequent. Generic code that is compiled once for all types looks up its types at each step.
package struct LoadStateMachine<Key: Hashable & Sendable>: Sendable {
    private let lingers: Bool
    /// The groups that new callers can join.
    private var open: [Key: LoadGroup] = [:]
    private var groups: [Int: LoadGroup.Status] = [:]
    private var lastNumber = 0

    /// Creates a table without loads.
    ///
    /// - Parameter lingers: whether a load without callers continues for a while.
    package init(lingers: Bool) {
        self.lingers = lingers
    }

    /// Whether no load is under way.
    package var isEmpty: Bool { groups.isEmpty && open.isEmpty }

    /// The number of waiting callers.
    package var callerCount: Int { groups.values.reduce(0) { $0 + $1.callers } }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// The callers that wait for the same result.
package final class LoadGroup: Sendable {
    let number: Int
    let result = SharedResult()

    init(number: Int) {
        self.number = number
    }

    fileprivate struct Status: Sendable {
        let group: LoadGroup
        var load: LoadNumber
        var priority: TaskPriority
        /// The number of waiting callers.
        var callers = 1
        /// How often its last caller has left.
        var desertions = 0

        /// C3: Adds a caller; the priority of a load is the highest priority of its callers.
        mutating func add(_ priority: TaskPriority) -> [LoadEffect] {
            callers += 1
            guard priority > self.priority else { return [] }
            self.priority = priority
            return [.escalate(load, priority)]
        }
    }
}

/// A caller that has asked for a value: its group and its own number.
package struct LoadCaller: Sendable {
    let group: LoadGroup
    let number: Int
}

/// The work to do after an event in a table of loads.
package enum LoadEffect: Equatable, Sendable {
    /// Start a load, and report its end to ``LoadStateMachine/finish(_:_:)``.
    case start(LoadNumber, TaskPriority)
    /// Raise the priority of the load, because a caller with a higher priority waits for it.
    case escalate(LoadNumber, TaskPriority)
    /// Cancel the load, because no caller needs it any longer.
    case cancel(LoadNumber)
    /// Call ``LoadStateMachine/endLinger(_:_:_:)`` with these values after a while, because no
    /// caller is left.
    case linger(LoadNumber, idleGeneration: Int)
}

/// A load and the group that it serves.
package struct LoadNumber: Hashable, Sendable {
    let group: Int
    let number: Int
}

// MARK: - Callers

extension LoadStateMachine {
    /// C4, C7: Adds a caller of a key to the open group, or creates a group.
    package mutating func join(_ key: Key, priority: TaskPriority) -> (LoadCaller, [LoadEffect]) {
        guard let group = open[key] else { return makeGroup(key, priority) }
        return (LoadCaller(group: group, number: next()), groups[group.number]?.add(priority) ?? [])
    }

    /// C8: Adds a caller that needs a new load, and gives the open group that load.
    package mutating func reload(_ key: Key, priority: TaskPriority) -> (LoadCaller, [LoadEffect]) {
        guard let group = open[key], var status = groups[group.number] else { return makeGroup(key, priority) }
        let old = status.load
        status.load = LoadNumber(group: group.number, number: next())
        let start = LoadEffect.start(status.load, status.priority)
        let urgency = status.add(priority)
        groups[group.number] = status
        return (LoadCaller(group: group, number: next()), [start] + urgency + [.cancel(old)])
    }

    /// A30: Adds a caller that must not join a load from before `lastKnown`, which may hang since
    /// then, and joins a later one.
    package mutating func refresh(
        _ key: Key,
        after lastKnown: Int,
        priority: TaskPriority
    ) -> (LoadCaller, [LoadEffect]) {
        let isNew = open[key].flatMap { groups[$0.number] }.map { $0.load.number > lastKnown } ?? true
        return isNew ? join(key, priority: priority) : reload(key, priority: priority)
    }

    private mutating func makeGroup(_ key: Key, _ priority: TaskPriority) -> (LoadCaller, [LoadEffect]) {
        let group = LoadGroup(number: next())
        let load = LoadNumber(group: group.number, number: next())
        open[key] = group
        groups[group.number] = LoadGroup.Status(group: group, load: load, priority: priority)
        return (LoadCaller(group: group, number: next()), [.start(load, priority)])
    }

    /// C4, C5: Removes a caller that has no result yet; when the last caller leaves, the load ends
    /// or lingers.
    package mutating func leave(_ key: Key, _ group: LoadGroup) -> [LoadEffect] {
        guard let status = groups[group.number] else { return [] }
        groups[group.number]?.callers -= 1
        guard status.callers == 1 else { return [] }
        // A load that new callers cannot join has no reason to linger.
        guard lingers, open[key] === group else { return end(key, status.load) }
        groups[group.number]?.desertions += 1
        return [.linger(status.load, idleGeneration: status.desertions + 1)]
    }
}

// MARK: - Loads

extension LoadStateMachine {
    /// C10, C11: Ends a load.
    ///
    /// - Returns: `true` if its group is now finished and must receive the result; `false` if
    ///   another load has replaced it.
    package mutating func finish(_ key: Key, _ load: LoadNumber) -> Bool {
        remove(key, load)
    }

    /// C4: Ends a load that has lingered without callers, unless a caller has joined in the
    /// meantime.
    package mutating func endLinger(_ key: Key, _ load: LoadNumber, _ idleGeneration: Int) -> [LoadEffect] {
        guard let group = groups[load.group], group.callers == 0, group.desertions == idleGeneration else { return [] }
        return end(key, load)
    }

    /// C7: Closes the open group of a key, so that later callers get a later load.
    ///
    /// Callers that already wait asked before this, and receive the result of their load.
    package mutating func invalidate(_ key: Key) -> [LoadEffect] {
        guard let group = open.removeValue(forKey: key) else { return [] }
        guard let status = groups[group.number], status.callers == 0 else { return [] }
        return end(key, status.load)
    }

    /// Returns whether the load is still needed: it has not ended and no other load has replaced
    /// it.
    package func isCurrent(_ load: LoadNumber) -> Bool { groups[load.group]?.load == load }

    /// A14: Ends the load of a group whose session has ended: it neither starts again nor delivers
    /// a result.
    package mutating func end(_ key: Key, _ group: LoadGroup) -> [LoadEffect] {
        groups[group.number].map { end(key, $0.load) } ?? []
    }

    /// A14: Ends all groups at the end of a session, including groups that cannot be joined any
    /// longer.
    ///
    /// - Returns: the groups, whose loads must all be cancelled.
    package mutating func endAll() -> [LoadGroup] {
        defer { (open, groups) = ([:], [:]) }
        return groups.values.map(\.group)
    }

    private mutating func end(_ key: Key, _ load: LoadNumber) -> [LoadEffect] {
        remove(key, load) ? [.cancel(load)] : []
    }

    /// C5, C11: Removes a load from the table, the only exit of every load; a superseded load does
    /// not end its group.
    private mutating func remove(_ key: Key, _ load: LoadNumber) -> Bool {
        guard groups[load.group]?.load == load else { return false }
        groups[load.group] = nil
        if open[key]?.number == load.group { open[key] = nil }
        return true
    }
}
