/// A task board as its ``TaskLine`` sees it.
protocol LineMember: AnyObject {
    /// Whether it has ended, while waiting for example, or is about to end with its motherboard.
    var isOver: Bool { get }
    /// Whether it was activated with the same input.
    func asksTheSame(as other: any LineMember) -> Bool
    /// Takes its turn in line.
    func begin()
    /// Starts the work, or leaves the line where there is no need to.
    func start(immediately: Bool)
    func cancel()
    func refuse()
    /// Calls `action` when it ends, in whatever way.
    func atEnd(_ action: @escaping () -> Void)
}

/// The activations of one registration of a task board: how many are at work, and which ones wait.
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

    /// Held weakly: the motherboard holds a board that is live, and one that was cancelled in line
    /// is kept by nothing.
    fileprivate struct Waiting {
        weak var member: (any LineMember)?
    }

    init<Input>(_ strategy: TaskStrategy<Input>, at site: CallSite) {
        switch strategy.kind {
        case .concurrent(let limit):
            site.require(limit > 0, "A task board was registered with the limit \(limit), so nothing would ever begin.")
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
            // Its end may have had this one cancelled, too.
            if !member.isOver { begin(member) }
        case .join: join(member)
        default: begin(member)
        }
    }

    /// To be called when a member's work has ended.
    func leave() {
        working -= 1
        while let next = waiting.popFirst() {
            // One that was cancelled while it waited has nothing to do.
            if let member = next.member, !member.isOver { return begin(member) }
        }
    }

    private func begin(_ member: any LineMember) {
        working += 1
        member.begin()
    }

    // MARK: Joining

    /// Work that several activations wait for; one of them does it.
    private final class SharedWork {
        weak var worker: (any LineMember)?
        var joined = Queue<Waiting>()
    }

    private func join(_ member: any LineMember) {
        // Comparing inputs is foreign code, so this looks at a copy.
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

    /// Has the next activation do the work of one that ended without a result.
    private func passOn(_ work: SharedWork) {
        guard shared.contains(where: { $0 === work }) else { return }
        while let next = work.joined.popFirst() {
            if let member = next.member, !member.isOver { return hand(work, to: member) }
        }
        shared.removeAll { $0 === work }
    }

    /// Takes out the activations that get the result of a member; others do not join it any more.
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
