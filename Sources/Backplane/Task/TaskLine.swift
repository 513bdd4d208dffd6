/// The requirements of a ``TaskLine`` on a task board.
protocol LineMember: AnyObject {
    /// Whether the board has ended, perhaps while it waited, or ends next with its motherboard.
    var isOver: Bool { get }
    /// Returns whether `other` was activated with an equal input.
    func asksTheSame(as other: any LineMember) -> Bool
    /// Begins its turn in the line.
    func begin()
    /// Starts the work, or leaves the line if the work is not needed.
    func start(immediately: Bool)
    func cancel()
    func refuse()
    /// Calls `action` when the board ends, for any reason.
    func atEnd(_ action: @escaping () -> Void)
}

/// The running and the waiting activations of one registration of a task board.
final class TaskLine {
    private let limit: Int
    private let kind: Kind
    private var working = 0
    private weak var latest: (any LineMember)?
    private var waiting = Queue<Waiting>()
    private var shared: [SharedWork] = []

    private enum Kind {
        case queue
        case latest
        case exclusive
        case join
    }

    /// A weak reference to a waiting board.
    ///
    /// The motherboard holds a live board. Nothing holds a board that was cancelled while it
    /// waited.
    fileprivate struct Waiting {
        weak var member: (any LineMember)?
    }

    init<Input>(_ strategy: TaskStrategy<Input>, at site: CallSite) {
        switch strategy.kind {
        case .concurrent(let limit):
            site.require(limit > 0, "A task board was registered with the limit \(limit), so its work never starts.")
            (kind, self.limit) = (.queue, limit)
        case .queue: (kind, limit) = (.queue, 1)
        case .latest: (kind, limit) = (.latest, .max)
        case .exclusive: (kind, limit) = (.exclusive, 1)
        case .join: (kind, limit) = (.join, .max)
        }
    }

    func admit(_ member: any LineMember) {
        switch kind {
        case .queue where working >= limit: waiting.append(Waiting(member: member))
        case .exclusive where working >= limit: member.refuse()
        case .latest:
            let earlier = latest
            latest = member
            earlier?.cancel()
            // The end of the previous board may have cancelled this one too.
            if !member.isOver { begin(member) }
        case .join: join(member)
        default: begin(member)
        }
    }

    /// Removes a member whose work has ended, and begins the next one.
    func leave() {
        working -= 1
        while let next = waiting.popFirst() {
            // A member that was cancelled while it waited has no work.
            if let member = next.member, !member.isOver { return begin(member) }
        }
    }

    private func begin(_ member: any LineMember) {
        working += 1
        member.begin()
    }

    // MARK: Joining

    /// Work that several activations wait for, and that one of them does.
    private final class SharedWork {
        weak var worker: (any LineMember)?
        var joined = Queue<Waiting>()
    }

    private func join(_ member: any LineMember) {
        // Comparing inputs runs user code, so this loop reads a copy.
        let candidates = shared
        for work in candidates {
            guard let worker = work.worker, !worker.isOver, worker.asksTheSame(as: member) else { continue }
            return work.joined.append(Waiting(member: member))
        }
        let work = SharedWork()
        shared.append(work)
        hand(work, to: member)
    }

    private func hand(_ work: SharedWork, to member: any LineMember) {
        work.worker = member
        member.atEnd { self.passOn(work) }
        begin(member)
    }

    /// Gives the work of an activation that ended without a result to the next activation.
    private func passOn(_ work: SharedWork) {
        guard shared.contains(where: { $0 === work }) else { return }
        while let next = work.joined.popFirst() {
            if let member = next.member, !member.isOver { return hand(work, to: member) }
        }
        shared.removeAll { $0 === work }
    }

    /// Removes and returns the activations that share a member's result; no later one joins it.
    func takeJoined(to member: any LineMember) -> [any LineMember] {
        guard let work = shared.first(where: { $0.worker === member }) else { return [] }
        shared.removeAll { $0 === work }
        var joined: [any LineMember] = []
        while let next = work.joined.popFirst() {
            if let member = next.member, !member.isOver { joined.append(member) }
        }
        return joined
    }
}
