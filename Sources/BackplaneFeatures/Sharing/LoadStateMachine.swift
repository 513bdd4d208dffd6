internal import BackplaneConcurrency

/// The rules C3–C11 of loads that are shared, without tasks, clocks or continuations: what each event changes, and what is to be
/// done about it.
///
/// Callers of one key form a *group*, which is answered once. A group has one load at a time; when another takes its place, the
/// group, and so everyone in it, stays together and waits for the new one.
///
/// Only the table of what can be joined knows keys. The rest has concrete types: to join is done often, and generic code that is
/// compiled once for all types looks up at each step what they are.
package struct LoadStateMachine<Key: Hashable & Sendable>: Sendable {
    private let lingers: Bool
    /// The groups that can be joined.
    private var open: [Key: LoadGroup] = [:]
    private var groups: [Int: LoadGroup.Status] = [:]
    private var lastNumber = 0

    /// Nothing is under way.
    ///
    /// - Parameter lingers: whether a load that nobody waits for any more goes on for a while.
    package init(lingers: Bool) {
        self.lingers = lingers
    }

    /// Whether nothing is under way.
    package var isEmpty: Bool { groups.isEmpty && open.isEmpty }

    /// How many wait.
    package var callerCount: Int { groups.values.reduce(0) { $0 + $1.callers } }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// Those who wait for the same answer.
package final class LoadGroup: Sendable {
    let number: Int
    let answer = SharedResult()

    init(number: Int) {
        self.number = number
    }

    fileprivate struct Status: Sendable {
        let group: LoadGroup
        var load: LoadNumber
        var priority: TaskPriority
        /// How many wait.
        var callers = 1
        /// How often it has been left by everybody.
        var desertions = 0

        /// C3: a load is as urgent as the most urgent of those who wait for it.
        mutating func add(_ priority: TaskPriority) -> [LoadEffect] {
            callers += 1
            guard priority > self.priority else { return [] }
            self.priority = priority
            return [.escalate(load, priority)]
        }
    }
}

/// Somebody who has asked for a value: what they wait for, and a number of their own.
package struct LoadCaller: Sendable {
    let group: LoadGroup
    let number: Int
}

/// What is to be done after an event in a table of loads.
package enum LoadEffect: Equatable, Sendable {
    /// Start a load, and report its end to ``LoadStateMachine/finish(_:_:)``.
    case start(LoadNumber, TaskPriority)
    /// Somebody more urgent waits for the load.
    case escalate(LoadNumber, TaskPriority)
    /// Nobody waits for the load any more.
    case cancel(LoadNumber)
    /// Nobody waits any more: call ``LoadStateMachine/endLinger(_:_:_:)`` with the same after a while.
    case linger(LoadNumber, idleGeneration: Int)
}

/// A load, and the group that it answers.
package struct LoadNumber: Hashable, Sendable {
    let group: Int
    let number: Int
}

// MARK: - Callers

extension LoadStateMachine {
    /// C4, C7: somebody asks for the value of a key: joins the group that is open, or makes one.
    package mutating func join(_ key: Key, priority: TaskPriority) -> (LoadCaller, [LoadEffect]) {
        guard let group = open[key] else { return makeGroup(key, priority) }
        return (LoadCaller(group: group, number: next()), groups[group.number]?.add(priority) ?? [])
    }

    /// C8: somebody asks for a value that is loaded from now on: the group that is open gets a new load.
    package mutating func reload(_ key: Key, priority: TaskPriority) -> (LoadCaller, [LoadEffect]) {
        guard let group = open[key], var status = groups[group.number] else { return makeGroup(key, priority) }
        let old = status.load
        status.load = LoadNumber(group: group.number, number: next())
        let start = LoadEffect.start(status.load, status.priority)
        let urgency = status.add(priority)
        groups[group.number] = status
        return (LoadCaller(group: group, number: next()), [start] + urgency + [.cancel(old)])
    }

    private mutating func makeGroup(_ key: Key, _ priority: TaskPriority) -> (LoadCaller, [LoadEffect]) {
        let group = LoadGroup(number: next())
        let load = LoadNumber(group: group.number, number: next())
        open[key] = group
        groups[group.number] = LoadGroup.Status(group: group, load: load, priority: priority)
        return (LoadCaller(group: group, number: next()), [.start(load, priority)])
    }

    /// C4, C5: one who has not been answered gives up; whoever is the last takes the load along.
    package mutating func leave(_ key: Key, _ group: LoadGroup) -> [LoadEffect] {
        guard let status = groups[group.number] else { return [] }
        groups[group.number]?.callers -= 1
        guard status.callers == 1 else { return [] }
        // For one that nobody can join any more there is nobody to wait for.
        guard lingers, open[key] === group else { return end(key, status.load) }
        groups[group.number]?.desertions += 1
        return [.linger(status.load, idleGeneration: status.desertions + 1)]
    }
}

// MARK: - Loads

extension LoadStateMachine {
    /// C10, C11: a load has ended.
    ///
    /// - Returns: whether its group is to be answered, and is over; otherwise another load has taken its place.
    package mutating func finish(_ key: Key, _ load: LoadNumber) -> Bool {
        remove(key, load)
    }

    /// C4: a load has gone on for a while without anybody waiting; it is over, unless somebody has come in the meantime.
    package mutating func endLinger(_ key: Key, _ load: LoadNumber, _ idleGeneration: Int) -> [LoadEffect] {
        guard let group = groups[load.group], group.callers == 0, group.desertions == idleGeneration else { return [] }
        return end(key, load)
    }

    /// C7: whoever asks for the value of a key from now on gets one that is loaded from now on.
    ///
    /// Those who wait already asked before, and are answered by the load they wait for.
    package mutating func invalidate(_ key: Key) -> [LoadEffect] {
        guard let group = open.removeValue(forKey: key) else { return [] }
        guard let status = groups[group.number], status.callers == 0 else { return [] }
        return end(key, status.load)
    }

    /// Whether a load is wanted: nothing has ended it or taken its place.
    package func isCurrent(_ load: LoadNumber) -> Bool { groups[load.group]?.load == load }

    /// A14: the session of a group is over: its load may neither begin again nor answer.
    package mutating func end(_ key: Key, _ group: LoadGroup) -> [LoadEffect] {
        groups[group.number].map { end(key, $0.load) } ?? []
    }

    /// A14: the session of every group is over, of those too that cannot be joined any more.
    ///
    /// - Returns: the groups, whose loads are all to be cancelled.
    package mutating func endAll() -> [LoadGroup] {
        defer { (open, groups) = ([:], [:]) }
        return groups.values.map(\.group)
    }

    private mutating func end(_ key: Key, _ load: LoadNumber) -> [LoadEffect] {
        remove(key, load) ? [.cancel(load)] : []
    }

    /// C5, C11: the one exit of every load; one that has been superseded does not end the group.
    private mutating func remove(_ key: Key, _ load: LoadNumber) -> Bool {
        guard groups[load.group]?.load == load else { return false }
        groups[load.group] = nil
        if open[key]?.number == load.group { open[key] = nil }
        return true
    }
}
