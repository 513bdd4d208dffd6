/// The rules C2–C11 of loads that are shared, without tasks, clocks or continuations: what each event changes, and what is to be
/// done about it.
///
/// Callers of one key form a *group*, which is answered once. A group has one load at a time; when another takes its place, the
/// group, and so everyone in it, stays together and waits for the new one.
package struct LoadTable<Key: Hashable & Sendable, Waiter: Sendable, Answer: Sendable>: Sendable {
    /// What the caller has to do after an event.
    package enum Effect: Equatable, Sendable {
        /// Start a load and report its end to `finish`.
        case start(Load, Key, TaskPriority)
        /// Somebody more urgent waits for the load.
        case escalate(Load, TaskPriority)
        /// Nobody waits for the load any more.
        case cancel(Load)
        /// Nobody waits any more: call `endLinger` with the same after a while.
        case linger(Load, Int)
    }

    /// A load: the group it answers, and which of the group's loads it is.
    package struct Load: Hashable, Sendable {
        let group: Int
        let number: Int
    }

    /// The place of one caller in a group.
    package struct Place: Sendable {
        let group: Int
        let number: Int
    }

    private enum Caller: Sendable {
        /// Has joined, and does not wait yet.
        case coming
        case waiting(Waiter)
    }

    private struct Group: Sendable {
        let key: Key
        var load: Load
        var priority: TaskPriority
        var callers: [Int: Caller] = [:]
        /// How often it has been left by everybody.
        var desertions = 0
    }

    private let lingers: Bool
    private var groups: [Int: Group] = [:]
    /// The groups that can be joined.
    private var open: [Key: Int] = [:]
    /// The answers to callers who have joined and do not wait yet.
    private var answers: [Int: Answer] = [:]
    private var lastNumber = 0

    /// Nothing is under way.
    ///
    /// - Parameter lingers: whether a load that nobody waits for any more goes on for a while.
    package init(lingers: Bool) {
        self.lingers = lingers
    }

    /// Whether nothing is under way and nobody waits.
    package var isEmpty: Bool { groups.isEmpty && open.isEmpty && answers.isEmpty }

    /// How many have asked and have not been answered.
    package var callerCount: Int { groups.values.reduce(0) { $0 + $1.callers.count } }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Callers

extension LoadTable {
    /// C4, C7: somebody asks for the value of a key: joins the group that is open, or makes one.
    package mutating func join(_ key: Key, priority: TaskPriority) -> (Place, [Effect]) {
        guard let number = open[key] else { return makeGroup(key, priority) }
        let place = Place(group: number, number: next())
        return (place, add(place, priority))
    }

    /// C8: somebody asks for a value that is loaded from now on: the group that is open gets a new load.
    package mutating func reload(_ key: Key, priority: TaskPriority) -> (Place, [Effect]) {
        guard let number = open[key], let group = groups[number] else { return makeGroup(key, priority) }
        let place = Place(group: number, number: next())
        let load = Load(group: number, number: next())
        groups[number]?.load = load
        let urgency = add(place, priority)
        return (place, [.start(load, key, group.priority)] + urgency + [.cancel(group.load)])
    }

    /// C3: a load is as urgent as the most urgent of those who wait for it.
    private mutating func add(_ place: Place, _ priority: TaskPriority) -> [Effect] {
        guard let index = groups.index(forKey: place.group) else { return [] }
        groups.values[index].callers[place.number] = .coming
        guard priority > groups.values[index].priority else { return [] }
        groups.values[index].priority = priority
        return [.escalate(groups.values[index].load, priority)]
    }

    private mutating func makeGroup(_ key: Key, _ priority: TaskPriority) -> (Place, [Effect]) {
        let place = Place(group: next(), number: next())
        let load = Load(group: place.group, number: next())
        groups[place.group] = Group(key: key, load: load, priority: priority, callers: [place.number: .coming])
        open[key] = place.group
        return (place, [.start(load, key, priority)])
    }

    /// C2, C6: a caller who has joined waits from now on, unless there is an answer already, which is returned.
    package mutating func wait(_ place: Place, _ waiter: Waiter) -> Answer? {
        if let answer = answers.removeValue(forKey: place.number) { return answer }
        groups[place.group]?.callers[place.number] = .waiting(waiter)
        return nil
    }

    /// C2, C4, C5: a caller gives up, and is to be given `answer`; whoever was the last takes the load along.
    ///
    /// - Returns: whom to resume, if the caller waits.
    package mutating func leave(_ place: Place, with answer: Answer) -> (Waiter?, [Effect]) {
        // Answered already: one who gives up too late changes nothing.
        guard let caller = groups[place.group]?.callers.removeValue(forKey: place.number) else { return (nil, []) }
        var waiter: Waiter?
        switch caller {
        case .coming: answers[place.number] = answer
        case .waiting(let who): waiter = who
        }
        guard let group = groups[place.group], group.callers.isEmpty else { return (waiter, []) }
        // For one that nobody can join any more there is nobody to wait for.
        guard lingers, open[group.key] == place.group else { return (waiter, end(group.load)) }
        groups[place.group]?.desertions += 1
        return (waiter, [.linger(group.load, group.desertions + 1)])
    }
}

// MARK: - Loads

extension LoadTable {
    /// C10, C11: a load has ended; the group it belongs to is over, and all in it get the answer.
    ///
    /// - Returns: whom to resume.
    package mutating func finish(_ load: Load, with answer: Answer) -> [Waiter] {
        guard let group = remove(load) else { return [] }
        var waiters: [Waiter] = []
        waiters.reserveCapacity(group.callers.count)
        for (number, caller) in group.callers {
            switch caller {
            case .coming: answers[number] = answer
            case .waiting(let waiter): waiters.append(waiter)
            }
        }
        return waiters
    }

    /// C4: a load has gone on for a while without anybody waiting; it is over, unless somebody has come in the meantime.
    package mutating func endLinger(_ load: Load, _ desertion: Int) -> [Effect] {
        guard let group = groups[load.group], group.callers.isEmpty, group.desertions == desertion else { return [] }
        return end(load)
    }

    /// C7: whoever asks for the value of a key from now on gets one that is loaded from now on.
    ///
    /// Those who wait already asked before, and are answered by the load they wait for.
    package mutating func invalidate(_ key: Key) -> [Effect] {
        guard let number = open.removeValue(forKey: key) else { return [] }
        guard let group = groups[number], group.callers.isEmpty else { return [] }
        return end(group.load)
    }

    /// C1, C7: ``invalidate(_:)`` of every key.
    package mutating func invalidateAll() -> [Effect] {
        open.keys.flatMap { invalidate($0) }
    }

    private mutating func end(_ load: Load) -> [Effect] {
        remove(load) == nil ? [] : [.cancel(load)]
    }

    /// C5, C11: the one exit of every load; none that has been superseded ends the group.
    private mutating func remove(_ load: Load) -> Group? {
        guard let group = groups[load.group], group.load == load else { return nil }
        groups[load.group] = nil
        if open[group.key] == load.group { open[group.key] = nil }
        return group
    }
}
