/// The rules A1–A12 of one record, without tasks, clocks or actors: what each event changes, and what is to be done about it.
///
/// What is visible is the base, which the server is known to have, with the mutations that are not settled applied in order.
/// A mutation is sent when it is the first of them, so one send is open at most; it stays open until it is known what became
/// of it.
///
/// A class, so that a closure of the user's that an event calls may read the record meanwhile (A16): nothing that is stored here
/// is under modification then.
package final class RecordStateMachine<Value> {
    /// What the caller has to do after an event.
    package enum Effect {
        /// Send the mutation, for the time that `attempt` says.
        case send(Mutation<Value>, attempt: Int)
        /// Call ``resend(_:)`` after a while: that many attempts have left unknown what became of the mutation.
        case scheduleResend(IdempotencyKey, attempts: Int)
        /// Tell whoever made these mutations what became of them.
        case settle([IdempotencyKey], MutationOutcome)
        /// Start a load.
        case reload
    }

    /// A load that landed while a send was open.
    private struct Held {
        let load: LoadStamp
        let content: RecordContent<Value>
        let revision: Int?
    }

    private let counter: LogicalClock
    private var base = ServerState<Value>()
    package private(set) var log = MutationLog<Value>()
    /// What failed and has not been dismissed.
    package private(set) var failures: [MutationFailure] = []
    /// Base and log folded, as long as neither changes.
    private var folded: RecordContent<Value>?

    /// The number of the last settlement: what began to load before it may have it in it, or not.
    package private(set) var lastSettlement: Int
    private var lastLanded = 0
    private var currentLoad: LoadStamp?
    private var held: Held?
    private var needsReload = false
    /// Why the last load failed; a mutation's failure is none of a load's (A12).
    package private(set) var loadError: (any Error)?

    /// A record of which nothing is known.
    ///
    /// - Parameters:
    ///   - counter: what numbers the events of all records that pages are loaded of together.
    ///   - lastSettlement: the number of the last settlement that the record may have had in an earlier life.
    package init(counter: LogicalClock = LogicalClock(), lastSettlement: Int = 0) {
        self.counter = counter
        self.lastSettlement = lastSettlement
    }
}

// MARK: - What there is to show

extension RecordStateMachine {
    /// A1: the base with the log folded in, computed when it is first asked for after a change.
    package var visible: RecordContent<Value> {
        if log.isEmpty { return base.content }
        if let folded { return folded }
        counter.beginFold()
        defer { counter.endFold() }
        var content = base.content
        for entry in log.all {
            // A16: an intent that looks sees what it is applied to.
            folded = content
            // One that does not apply now may again, if a load brings back what it is about; its turn decides.
            try? entry.mutation.intent.apply(to: &content)
        }
        folded = content
        return content
    }

    /// Whether a load is under way, or one that landed is not to be seen before a send is settled.
    package var isLoading: Bool {
        if currentLoad != nil { return true }
        if case .notLoaded = base.content { return held != nil || needsReload }
        return false
    }

    /// Whether a mutation has been sent of which nobody knows what became; the first of the log always has been.
    private var isSendOpen: Bool { !log.isEmpty }
}

// MARK: - Mutations

extension RecordStateMachine {
    /// A2: takes a mutation, which is visible from then on, unless it does not apply to what is visible.
    package func append(_ mutation: Mutation<Value>) -> [Effect] {
        // Made once more, it is not what failed any more.
        dismiss(mutation.id)
        if failures.contains(where: { !mutation.dependencies.isDisjoint(with: $0.ids) }) {
            return [fail(mutation, superseding: [], .dependencyFailed)]
        }
        var content = visible
        do {
            try mutation.intent.apply(to: &content)
        } catch {
            return [fail(mutation, superseding: [], .targetMissing(error))]
        }
        // A3: taking the place of a queued one changes nothing else about what is visible, since both set the same.
        log.append(mutation)
        folded = content
        return sendFirst()
    }

    /// A6: the server has carried out a mutation; in one step it leaves the log and is part of the base.
    package func acknowledge(
        _ id: IdempotencyKey,
        with reply: Mutation<Value>.Reply = .done,
        revision: Int? = nil
    ) -> [Effect] {
        guard let entry = openEntry(id) else { return [] }
        switch reply {
        case .value(let value):
            base.write(reply: value, revision: revision)
            folded = nil
        case .part(let change):
            if case .present(var value) = base.content, (try? change(&value)) != nil {
                base.write(part: value)
                folded = nil
            } else {
                acknowledgeUnseen(entry.mutation)
            }
        case .done: acknowledgeUnseen(entry.mutation)
        }
        log.removeFirst()
        return [.settle(entry.ids, .acknowledged)] + settled()
    }

    /// The server has carried out a mutation, and has not said what came of it: what was meant stands in for that.
    private func acknowledgeUnseen(_ mutation: Mutation<Value>) {
        var content = base.content
        // One that does not apply was sent only because nothing was known then, and nothing is known now.
        try? mutation.intent.apply(to: &content)
        base.write(meant: content)
        // What is deleted is not loaded again.
        if case .absent = base.content {} else { needsReload = true }
    }

    /// A11: a mutation of another record has been carried out, and what it has made is this record: what is queued there is
    /// queued here from now on, after what was.
    package func adopt(
        _ other: RecordStateMachine,
        acknowledging id: IdempotencyKey,
        with value: Value,
        revision: Int? = nil
    ) -> [Effect] {
        guard let entry = other.openEntry(id) else { return [] }
        base.write(made: value, revision: revision)
        log.append(contentsOf: other.log.all.dropFirst())
        failures += other.failures
        needsReload = needsReload || other.needsReload
        folded = nil
        return [.settle(entry.ids, .acknowledged)] + sendFirst()
    }

    /// A4: the server has refused; the mutation and those that depend on it leave the log, and no other.
    package func reject(_ id: IdempotencyKey, _ error: any Error) -> [Effect] {
        guard let entry = openEntry(id) else { return [] }
        needsReload = true
        return removeFirst(entry, .rejected(error)) + settled()
    }

    /// A5: the attempt ended and nobody knows whether the server has acted on it; the mutation stays visible.
    package func loseReply(to id: IdempotencyKey) -> [Effect] {
        guard let entry = openEntry(id), case .sending(let attempt) = entry.phase else { return [] }
        log.setFirstPhase(.unconfirmed(attempts: attempt))
        return [.scheduleResend(id, attempts: attempt)]
    }

    /// A5: sends a mutation again, with the same key, if nobody knows yet what became of it.
    package func resend(_ id: IdempotencyKey) -> [Effect] {
        guard let entry = openEntry(id), case .unconfirmed(let attempts) = entry.phase else { return [] }
        log.setFirstPhase(.sending(attempt: attempts + 1))
        return [.send(entry.mutation, attempt: attempts + 1)]
    }

    /// Forgets a failure that has been seen.
    package func dismiss(_ id: IdempotencyKey) {
        failures.removeAll { $0.id == id }
    }

    private func openEntry(_ id: IdempotencyKey) -> MutationLog<Value>.Entry? {
        if let entry = log.first, entry.mutation.id == id { entry } else { nil }
    }

    /// A3: sends the first of the log, unless it has been; reloads once when there is nothing left to send (A9).
    private func sendFirst() -> [Effect] {
        var effects: [Effect] = []
        while let entry = log.first {
            guard entry.phase == .queued else { return effects }
            var content = base.content
            do {
                try entry.mutation.intent.apply(to: &content)
            } catch {
                effects += removeFirst(entry, .targetMissing(error))
                continue
            }
            log.setFirstPhase(.sending(attempt: 1))
            return effects + [.send(entry.mutation, attempt: 1)]
        }
        // It would keep a value alive for nothing.
        folded = nil
        if needsReload {
            needsReload = false
            effects.append(.reload)
        }
        return effects
    }

    /// After a send is settled: judges what has been kept aside, then goes on with the log.
    private func settled() -> [Effect] {
        lastSettlement = counter.next()
        if let held {
            self.held = nil
            if land(held) == .reload { needsReload = true }
        }
        return sendFirst()
    }

    private func removeFirst(_ entry: MutationLog<Value>.Entry, _ outcome: MutationOutcome) -> [Effect] {
        log.removeFirst()
        folded = nil
        let dependents = log.removeDependents(of: entry.ids)
        return [fail(entry.mutation, superseding: entry.superseded, outcome)]
            + dependents.map { fail($0.mutation, superseding: $0.superseded, .dependencyFailed) }
    }

    private func fail(
        _ mutation: Mutation<Value>,
        superseding superseded: [IdempotencyKey],
        _ outcome: MutationOutcome
    ) -> Effect {
        let failure = MutationFailure(
            id: mutation.id,
            superseded: superseded,
            label: mutation.label,
            outcome: outcome
        )
        failures.append(failure)
        return .settle(failure.ids, outcome)
    }
}

// MARK: - Loads

extension RecordStateMachine {
    /// Whether what the load under way brings may have the last settlements in it, so that joining it is as good as a new one.
    package var canJoinLoad: Bool {
        guard let currentLoad else { return false }
        return isSendOpen || currentLoad.number > lastSettlement
    }

    /// Starts a load, which counts instead of any that is under way (A8).
    package func beginLoad() -> LoadStamp {
        let load = counter.startLoad()
        currentLoad = load
        return load
    }

    /// A7, A8: what a load has brought becomes the base, is kept aside while a send is open, or is dropped.
    ///
    /// It may be one that the record has not started: that of a page which the record is on, and which may have begun before
    /// anything was known of the record.
    package func finish(_ load: LoadStamp, with value: Value, revision: Int? = nil) -> [Effect] {
        if currentLoad?.number == load.number {
            currentLoad = nil
            loadError = nil
        }
        // One that began later has landed, and this one only answers its own waiters; or it is another session's.
        guard load.number > max(lastLanded, counter.epoch) else { return [] }
        lastLanded = load.number
        let landed = Held(load: load, content: .present(value), revision: revision)
        if isSendOpen {
            held = landed
            return []
        }
        // A newer load that is under way is the reload.
        let isSuperseded = currentLoad.map { $0.number > load.number } ?? false
        return land(landed) == .reload && !isSuperseded ? [.reload] : []
    }

    /// A9: there is a reason to load again; that waits until nothing is pending.
    package func expectReload() -> [Effect] {
        if log.isEmpty { return [.reload] }
        needsReload = true
        return []
    }

    /// The load has failed; the base stays.
    package func fail(_ load: LoadStamp, _ error: any Error) {
        guard currentLoad?.number == load.number else { return }
        currentLoad = nil
        loadError = error
    }

    /// The load has been cancelled; everything is as before it.
    package func cancel(_ load: LoadStamp) {
        if currentLoad?.number == load.number { currentLoad = nil }
    }

    /// Whether the load is the one under way, not one that another has superseded.
    package func isCurrent(_ load: LoadStamp) -> Bool {
        currentLoad?.number == load.number
    }

    private func land(_ landed: Held) -> ServerState<Value>.Verdict {
        // None is open either: one opened in between would have been settled by now, which counts.
        let isRecent = landed.load.number > lastSettlement
        let verdict = base.judge(revision: landed.revision, isRecent: isRecent)
        if verdict == .write {
            base.write(landed.content, revision: landed.revision)
            folded = nil
        }
        return verdict
    }

    /// Another session has begun, and the counter knows it: nothing of the last one is shown, and nothing of it that is under
    /// way lands.
    package func beginEpoch() -> [Effect] {
        let sessionEnded = log.all.flatMap(\.ids)
        base = ServerState()
        log = MutationLog()
        (failures, folded) = ([], nil)
        (lastSettlement, lastLanded) = (0, 0)
        (currentLoad, held, needsReload, loadError) = (nil, nil, false, nil)
        return sessionEnded.isEmpty ? [] : [.settle(sessionEnded, .sessionEnded)]
    }
}
