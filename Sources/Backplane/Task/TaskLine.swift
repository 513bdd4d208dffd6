/// The running and the waiting activations of one registration of a task board.
final class TaskLine<Contract: BoardContract> where Contract.Command == Never {
    typealias Member = TaskBoard<Contract>

    private let limit: Int
    private let kind: TaskStrategy<Contract.Input>.Kind
    private var working = 0
    private weak var latest: Member?
    private var waiting = Queue<Waiting>()
    private var shared: [SharedWork] = []

    /// A weak reference to a waiting board.
    ///
    /// The motherboard holds a live board. Nothing holds a board that was cancelled while it
    /// waited.
    fileprivate struct Waiting {
        weak var member: Member?
    }

    init(_ strategy: TaskStrategy<Contract.Input>, at site: CallSite) {
        kind = strategy.kind
        limit =
            switch kind {
            case .concurrent(let limit): limit
            case .queue, .exclusive: 1
            case .latest, .join: .max
            }
        site.require(limit > 0, "A task board was registered with the limit \(limit), so its work never starts.")
    }

    func admit(_ member: Member) {
        switch kind {
        case .concurrent where working >= limit, .queue where working >= limit: waiting.append(Waiting(member: member))
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

    private func begin(_ member: Member) {
        working += 1
        member.begin()
    }

    // MARK: Joining

    /// Work that several activations wait for, and that one of them does.
    private final class SharedWork {
        weak var worker: Member?
        var joined = Queue<Waiting>()
    }

    private func join(_ member: Member) {
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

    private func hand(_ work: SharedWork, to member: Member) {
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
    func takeJoined(to member: Member) -> [Member] {
        guard let work = shared.first(where: { $0.worker === member }) else { return [] }
        shared.removeAll { $0 === work }
        var joined: [Member] = []
        while let next = work.joined.popFirst() {
            if let member = next.member, !member.isOver { joined.append(member) }
        }
        return joined
    }
}
