/// The open questions of a tree of motherboards, as values: each event changes the state, and its
/// result says what the caller must do.
///
/// A *run* is one open question, with the activations that wait for its answer. It begins when an
/// activation asks a question that is not open yet, and it is over when no activation waits for it
/// any longer. Then its number is not used again. An activation passes these events:
///
/// 1. ``isExempt(from:for:)`` decides whether the question must be asked at all.
/// 2. ``ask(_:as:joining:)`` joins or begins a run, or finds a cycle.
/// 3. ``begin(waiting:for:)`` and ``begin(asking:for:isMade:)`` follow the gate board on its way.
/// 4. ``decide(_:for:)``, ``end(_:)``, ``leave(_:_:)`` or ``supersede(_:by:)`` ends the wait.
///
/// This type calls no code of boards or gates. It is a class, so that no stored property is being
/// modified while such code runs. Boards are objects whose identity alone counts.
final class GateStateMachine<Waiter: GateAsking, Board: AnyObject> {
    /// The result of asking a question.
    enum Asking {
        /// The activation waits in a run that began earlier.
        case joined(UInt64)
        /// The activation waits in a new run, whose gate board must be activated.
        case began(UInt64)
        /// The question would wait for itself, along these boards.
        case cycle([AnyBoardID])
    }

    /// The work that the caller must do after the last activation has left a run.
    enum Effect {
        /// The activation of the gate board, which still waits, must give up too.
        case giveUp(Waiter)
        /// The board, which was made for the question, must be cancelled.
        case cancel(Board)
    }

    struct Run {
        let number: UInt64
        let question: GateQuestion
        /// The activation that began the run, which may no longer wait.
        ///
        /// The board that answers acts for the same runs.
        let beginner: Waiter
        /// The first activation that waits; stored alone, because usually it is the only one.
        fileprivate(set) var first: Waiter
        fileprivate(set) var others: [Waiter] = []
        /// Whether further activations may join.
        fileprivate(set) var isJoinable = true
        /// The activation of the gate board while it waits at the gates in front of it.
        fileprivate(set) var boardWaiter: Waiter?
        /// The board that is asked, once it exists.
        fileprivate(set) var board: Board?
        /// Whether the board ends with the question, because nothing else has activated it.
        fileprivate(set) var isBoardMadeForIt = false

        /// The activations that wait, in the order in which they started.
        var waiters: [Waiter] { [first] + others }
    }

    /// The number of open questions, each asked to answer an earlier one, that counts as endless.
    static var longestChain: Int { 100 }

    /// The open runs, in the order they began.
    // Only `modify` changes it. A change in place would have every access to it checked at run
    // time, which takes a tenth of the time of asking a gate.
    private(set) var runs: [Run] = []
    /// Whether there are any runs; stored separately, because reading it is a plain load.
    private(set) var hasRuns = false
    private var lastNumber: UInt64 = 0

    /// Changes the runs, which are moved out meanwhile.
    @inline(__always)
    private func modify<Result>(_ change: (inout [Run]) -> Result) -> Result {
        var runs = runs
        self.runs = []
        let result = change(&runs)
        self.runs = runs
        return result
    }

    private func position(of number: UInt64) -> Int? {
        var (low, high) = (0, runs.count - 1)
        while low <= high {
            let middle = (low + high) / 2
            if runs[middle].number == number { return middle }
            if runs[middle].number < number { low = middle + 1 } else { high = middle - 1 }
        }
        return nil
    }

    /// Returns whether a single activation waits in a run.
    func hasOnlyWaiter(in number: UInt64) -> Bool { position(of: number).map { runs[$0].others.isEmpty } ?? false }

    /// Returns the only activation that waits in a run, if there is only one.
    func onlyWaiter(in number: UInt64) -> Waiter? {
        guard let position = position(of: number), runs[position].others.isEmpty else { return nil }
        return runs[position].first
    }

    subscript(number: UInt64) -> Run? { position(of: number).map { runs[$0] } }

    /// Returns the kind of the question of a run, if the run is open.
    func kind(of number: UInt64) -> GateQuestion.Kind? { position(of: number).map { runs[$0].question.kind } }

    /// Returns whether an activation still waits in the run.
    func isOpen(_ number: UInt64) -> Bool { position(of: number) != nil }
}

// MARK: - Purposes

extension GateStateMachine {
    /// Returns the purpose of the activation that began a run.
    func purpose(of number: UInt64) -> Purpose? { position(of: number).flatMap { runs[$0].beginner.purpose } }

    /// Returns the purpose of the board that answers a run.
    func purpose(ofBoardFor number: UInt64) -> Purpose { Purpose(number, then: purpose(of: number)) }

    /// Returns the open runs of two purposes, each of them once.
    ///
    /// The result shares the nodes of its arguments, so boards inside boards share one list. It
    /// contains no runs that are over, so a chain of questions may go on forever.
    func union(_ one: Purpose?, _ other: Purpose?) -> Purpose? {
        let (one, other) = (open(one), open(other))
        let isOneFirst = (one?.run ?? 0) >= (other?.run ?? 0)
        guard let first = isOneFirst ? one : other else { return nil }
        let second = isOneFirst ? other : one
        let rest = union(first.rest, first.run == second?.run ? second?.rest : second)
        return rest === first.rest ? first : Purpose(first.run, then: rest)
    }

    private func open(_ purpose: Purpose?) -> Purpose? {
        var next = purpose
        while let purpose = next, !isOpen(purpose.run) { next = purpose.rest }
        return next
    }

    /// Returns the open run that `board` is to answer, if it acts for one.
    func run(askedOf board: Board, for purpose: Purpose?) -> UInt64? {
        guard let purpose else { return nil }
        if let position = position(of: purpose.run), runs[position].board === board { return purpose.run }
        return run(askedOf: board, for: purpose.rest)
    }
}

// MARK: - Asking

extension GateStateMachine {
    /// Returns whether an activation skips a question, because it acts for the same question.
    ///
    /// An open question stands for itself only, so another question at the same board is asked. The
    /// gates in front of a scope are always asked: a board inside a scope is never entered without
    /// the scope.
    func isExempt(from question: GateQuestion, for waiter: Waiter) -> Bool {
        guard let purpose = waiter.purpose, question.kind != .scope, self[waiter.asker]?.question.kind != .scope
        else { return false }
        return purpose.contains { self[$0]?.question == question }
    }

    /// Lets an activation wait for the answer to a question, or returns the cycle it closes.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - waiter: the activation.
    ///   - joined: a run with another question that has the same answer.
    /// - Returns: the run in which the activation waits, or the cycle.
    func ask(_ question: GateQuestion, as waiter: Waiter, joining joined: UInt64? = nil) -> Asking {
        let joined = joined.flatMap(position) ?? runs.lastIndex { $0.isJoinable && $0.question == question }
        if let joined {
            if let cycle = cycle(joining: runs[joined], by: waiter) { return .cycle(cycle) }
            modify { $0[joined].others.append(waiter) }
            return .joined(runs[joined].number)
        }
        if let cycle = cycle(asking: question, by: waiter) { return .cycle(cycle) }
        lastNumber += 1
        modify { $0.append(Run(number: lastNumber, question: question, beginner: waiter, first: waiter)) }
        hasRuns = true
        return .began(lastNumber)
    }

    /// Returns the cycle that an activation would close by waiting in a run.
    ///
    /// A run needs another one if its gate board or its own work waits there. There is a cycle if
    /// the joined run needs, directly or through others, a run that needs the activation. Runs that
    /// cannot be joined need nothing: they are over when all deliveries are made.
    private func cycle(joining joined: Run, by waiter: Waiter) -> [AnyBoardID]? {
        causes(of: waiter, through: { $0.isJoinable ? $0.waiters : [] }) { $0.number == joined.number }.path
            .map { $0 + [joined.question.board] }
    }

    /// Returns the cycle that a new run would close.
    ///
    /// There is a cycle if the same question led to it, directly or through others, or an earlier
    /// question of the same rule that cannot be compared. A chain of ever new questions counts as a
    /// cycle when it is too long.
    private func cycle(asking question: GateQuestion, by waiter: Waiter) -> [AnyBoardID]? {
        let (path, count) = causes(of: waiter) { question.mayBe($0.question) }
        if let path { return path + [question.board] }
        if count < Self.longestChain { return nil }
        let chain = causes(of: waiter) { $0.question.gateBoard == question.gateBoard }
        return (chain.path ?? [question.board]) + [question.board]
    }

    /// Searches the open runs that led to an activation for one that matches, the latest one first.
    ///
    /// - Parameters:
    ///   - waiter: the activation.
    ///   - waiters: returns the activations in a run whose causes are causes of the run.
    ///   - matches: returns whether a run is the one that is searched for.
    /// - Returns: the boards from the run that matches to the latest of its consequences, and the
    ///   number of runs that were searched.
    private func causes(
        of waiter: Waiter,
        through waiters: (Run) -> [Waiter] = { [$0.beginner] },
        until matches: (Run) -> Bool
    ) -> (path: [AnyBoardID]?, count: Int) {
        if waiter.asker == 0, waiter.purpose == nil { return (nil, 0) }
        var searched: [UInt64: (consequence: UInt64, rest: Purpose?)] = [:]
        var pending: [(run: UInt64, rest: Purpose?, consequence: UInt64)] = []
        func addCauses(of waiter: Waiter, _ consequence: UInt64) {
            if waiter.asker != 0 {
                pending.append((waiter.asker, nil, consequence))
            } else if let purpose = waiter.purpose {
                pending.append((purpose.run, purpose.rest, consequence))
            }
        }
        addCauses(of: waiter, 0)
        while let (number, rest, consequence) = pending.popLast() {
            let earlier = searched[number]
            // Purposes share their ends, so the rest of this one was found before, too.
            if let earlier, earlier.rest === rest { continue }
            if let rest { pending.append((rest.run, rest.rest, consequence)) }
            guard earlier == nil, let run = self[number] else { continue }
            searched[number] = (consequence, rest)
            if matches(run) {
                let path = sequence(first: number) { searched[$0]?.consequence }.compactMap { self[$0]?.question.board }
                return (path, searched.count)
            }
            for waiter in waiters(run).reversed() { addCauses(of: waiter, number) }
        }
        return (nil, searched.count)
    }
}

// MARK: - Gate boards

extension GateStateMachine {
    /// Notes that the gate board's activation waits at the gates in front of it; `nil` ends that.
    func begin(waiting waiter: Waiter?, for number: UInt64) {
        if let position = position(of: number) { modify { $0[position].boardWaiter = waiter } }
    }

    /// Notes the board that is asked.
    func begin(asking board: Board, for number: UInt64, isMade: Bool) {
        guard let position = position(of: number) else { return }
        modify { runs in
            runs[position].board = board
            runs[position].isBoardMadeForIt = isMade
        }
    }

    /// Prevents further activations from joining, because the board that is asked has ended.
    func close(_ number: UInt64) {
        if let position = position(of: number) { modify { $0[position].isJoinable = false } }
    }

    /// Returns the activations to deny, because the board that is asked was activated again.
    ///
    /// The gate board's own work may lead back to it, and then all keep waiting. Activations that
    /// wait for a scope stay in any case, because any output of its entrance may enter it. But the
    /// board no longer belongs to them alone.
    ///
    /// - Parameters:
    ///   - number: the run of the board.
    ///   - purpose: the runs that the later activation acts for.
    /// - Returns: the activations to deny, and whether others stay.
    func supersede(_ number: UInt64, by purpose: Purpose?) -> (denied: [Waiter], staysOpen: Bool) {
        guard let position = position(of: number) else { return ([], false) }
        if purpose?.contains(where: { $0 == number }) ?? false { return ([], true) }
        let waiters = runs[position].waiters
        let denied = waiters.filter { !$0.isEntrant }
        let staysOpen = denied.count < waiters.count
        modify { runs in
            runs[position].isBoardMadeForIt = false
            runs[position].isJoinable = staysOpen
        }
        return (denied, staysOpen)
    }
}

// MARK: - The end of a wait

extension GateStateMachine {
    /// Removes activations that an answer has decided or that are denied.
    ///
    /// - Returns: the run if it is over, because no activation waits any longer.
    func decide(_ number: UInt64, for decided: [Waiter]) -> Run? {
        guard let position = position(of: number) else { return nil }
        let waiting = runs[position].waiters.filter { waiter in !decided.contains { $0 === waiter } }
        guard let first = waiting.first else { return remove(at: position) }
        modify { runs in
            runs[position].first = first
            runs[position].others = Array(waiting.dropFirst())
        }
        return nil
    }

    /// Ends a run and returns it, with the activations that waited in it.
    func end(_ number: UInt64) -> Run? {
        guard let position = position(of: number) else { return nil }
        return remove(at: position)
    }

    /// Removes an activation that gave up.
    func leave(_ number: UInt64, _ waiter: Waiter) -> Effect? {
        guard let run = decide(number, for: [waiter]) else { return nil }
        if let waiter = run.boardWaiter { return .giveUp(waiter) }
        return run.isBoardMadeForIt ? run.board.map(Effect.cancel) : nil
    }

    private func remove(at position: Int) -> Run {
        let run = modify { $0.remove(at: position) }
        hasRuns = !runs.isEmpty
        return run
    }
}

/// An activation that waits at gates, as ``GateStateMachine`` knows it.
protocol GateAsking: AnyObject {
    /// The number of the run that needs this activation, or 0 for an ordinary activation.
    ///
    /// The board of this activation is the run's gate board.
    var asker: UInt64 { get }
    /// The runs that the activation acts for.
    var purpose: Purpose? { get }
    /// Whether the activation waits at the entrance of a scope.
    var isEntrant: Bool { get }
}
