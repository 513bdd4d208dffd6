/// The rules A1–A30 of one record, without tasks, clocks or actors: each event changes the state
/// and returns effects.
///
/// The state has two parts. The *server state* is the last value that the server has confirmed. The
/// *mutation log* holds the mutations that are not settled, in order. The visible value is the
/// server state with the log applied.
///
/// Only the first mutation of the log is sent, so at most one send is open per record. A send stays
/// open until its outcome is known. One mutation passes these events:
///
/// 1. ``append(_:)`` puts it into the log. The change is visible from then on. If no other mutation
///    is before it, the effect is ``Effect/send(_:)``.
/// 2. ``acknowledge(_:with:revision:)`` or ``withdraw(_:_:)`` reports the outcome. An attempt
///    without an outcome changes nothing here: see ``MemoryDelivery``.
/// 3. An acknowledged mutation becomes part of the server state, and a rejected one is removed. The
///    effects are ``Effect/settle(_:_:)`` for its callers, and then the send of the next mutation
///    or one ``Effect/reload``.
///
/// ``Record`` performs the effects. This type is a class, so that a closure of the app that an
/// event calls may read the record at the same time (A16). No stored property is being modified
/// during such a call.
package final class RecordStateMachine<Value> {
    /// The work that the caller must do after an event.
    package enum Effect {
        /// Send the mutation until its outcome is known.
        case send(Mutation<Value>)
        /// Report the outcome to the callers that made these mutations.
        case settle([IdempotencyKey], MutationOutcome)
        /// Start a load.
        case reload
    }

    /// A load that landed while a send was open, set aside until the send is settled.
    private struct Held {
        let load: LoadStamp
        let content: RecordContent<Value>
        let revision: Int?
    }

    private let logicalClock: LogicalClock
    private var base = ServerState<Value>()
    package private(set) var log = MutationLog<Value>()
    /// The mutation by which a list creates the record.
    package var creation: IdempotencyKey?
    private var failed = FailureMemory()
    /// The server state with the log applied; cached until one of them changes.
    private var folded: RecordContent<Value>?

    /// The number of the last settlement of a mutation that the server may have carried out; a load
    /// that began earlier may or may not contain that mutation.
    package private(set) var lastSettlement: Int
    private var lastLanded = 0
    /// The number of the last load whose value was written.
    private var lastWritten = 0
    private var currentLoad: LoadStamp?
    private var held: Held?
    private var needsReload = false
    /// Whether no attempt of the first mutation has left, if it exists only in memory.
    var isFirstUnsent = false
    /// Whether nothing may be sent yet, because another record must be created first (A18).
    private var isWaiting = false
    private var failedLoad: (load: LoadStamp, error: any Error)?

    /// Creates a record that is not loaded.
    ///
    /// - Parameters:
    ///   - logicalClock: the clock of all records that share pages.
    ///   - lastSettlement: the number of the last settlement of a released record, which may be a
    ///     former instance of this one.
    package init(logicalClock: LogicalClock = LogicalClock(), lastSettlement: Int = 0) {
        self.logicalClock = logicalClock
        self.lastSettlement = lastSettlement
    }
}

// MARK: - Visible state

extension RecordStateMachine {
    /// A1: The server state with the log applied, computed at the first access after a change.
    package var visible: RecordContent<Value> {
        if log.isEmpty { return base.content }
        if let folded { return folded }
        logicalClock.beginFold()
        defer { logicalClock.endFold() }
        var content = base.content
        for entry in log.all {
            // A16: An intent that reads the record sees the value that it is applied to.
            folded = content
            // An intent that fails here stays in the log: a load may bring its target back. It
            // fails only if it does not apply when it is the next to be sent.
            try? entry.mutation.intent.apply(to: &content)
        }
        folded = content
        return content
    }

    /// A19: Whether a load is under way; no pending mutation counts as one.
    package var isLoading: Bool { currentLoad != nil }

    /// Whether a loaded value or a reload waits for the outcome of a mutation (A7, A9).
    var awaitsOutcome: Bool { held != nil || needsReload }

    /// The error of the last load, if no newer value has arrived (A27); mutation failures are
    /// tracked separately (A12).
    package var loadError: (any Error)? { failedLoad?.error }

    /// The mutations that failed and were not dismissed.
    package var failures: [MutationFailure] { failed.undismissed }

    /// Whether a mutation is sent and its outcome is unknown.
    ///
    /// The first mutation of the log is always sent, or waits for the creation of another record
    /// (A18). Without a network, no attempt leaves, and no load contains it then. An outbox may
    /// also send later ones before it, if they are about other things.
    var isSendOpen: Bool {
        guard let first = log.first?.mutation else { return false }
        if first.delivery == nil, !isFirstUnsent { return true }
        return log.all.contains { $0.mutation.delivery?.isUnsent == false }
    }
}

extension RecordStateMachine {
    /// The value of the server state, if it came from the server as it is; `nil` if a mutation was
    /// applied to it on this device.
    var valueOfServer: Value? { base.isVerbatim ? base.content.value : nil }

    /// Shows a value that is known before the first load.
    ///
    /// Any load replaces it, because the value may be old.
    func show(initial value: Value, revision: Int?) {
        base.write(initial: value, revision: revision)
        folded = nil
    }
}

// MARK: - Mutations

extension RecordStateMachine {
    /// A2: Adds a mutation and makes it visible, unless its intent does not apply to the visible
    /// value.
    package func append(_ mutation: Mutation<Value>) -> [Effect] {
        // A mutation that is made again no longer counts as failed.
        endFailure(mutation.id)
        if let outcome = outcomeAfterFailures(of: mutation) { return [keep(.init(mutation: mutation), outcome)] }
        var content = visible
        do {
            try mutation.intent.apply(to: &content)
        } catch {
            // An outbox has it already, as from another window, so only the server can refuse it.
            guard mutation.delivery?.progress.isSaved == true else {
                return [keep(.init(mutation: mutation), .targetMissing(error))]
            }
        }
        // A3: Replacing a queued mutation changes nothing else that is visible, because both set
        // the same property.
        log.append(mutation)
        folded = content
        return sendFirst()
    }

    /// A6: Confirms a mutation: in one step it leaves the log and becomes part of the server state.
    package func acknowledge(
        _ id: IdempotencyKey,
        with response: Mutation<Value>.Response = .done,
        revision: Int? = nil
    ) -> [Effect] {
        guard let entry = openEntry(id) else { return [] }
        switch response {
        case .value(let value):
            base.write(response: value, revision: revision)
            (folded, failedLoad) = (nil, nil)
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
        lastSettlement = logicalClock.next()
        return [.settle(entry.ids, .acknowledged)] + settled()
    }

    /// Applies the intent to the server state, because the server confirmed the mutation without
    /// sending a value.
    private func acknowledgeUnseen(_ mutation: Mutation<Value>) {
        var content = base.content
        // If the intent does not apply, it was sent before a value was known, and still no value is
        // known.
        try? mutation.intent.apply(to: &content)
        base.write(meant: content)
        // A deleted record is not loaded again.
        if case .absent = base.content {} else { needsReload = true }
    }

    /// A11: Merges another record that turned out to be this one, after the mutation that created
    /// it was confirmed.
    ///
    /// The mutations that are queued in the other record are queued in this record, after its own.
    package func adopt(
        _ other: RecordStateMachine,
        acknowledging id: IdempotencyKey,
        with value: Value,
        revision: Int? = nil
    ) -> [Effect] {
        guard let entry = other.openEntry(id) else { return [] }
        base.write(made: value, revision: revision)
        failedLoad = nil
        log.append(contentsOf: other.log.all.dropFirst())
        failed.add(contentsOf: other.failed)
        needsReload = needsReload || other.needsReload
        folded = nil
        return [.settle(entry.ids, .acknowledged)] + sendFirst()
    }

    /// A4: Removes a mutation that the server refused or that its outbox does not deliver, wherever
    /// it is in the log, and the mutations that depend on it, and no others.
    ///
    /// No load contains a refused mutation, so also a load from before the refusal counts.
    package func withdraw(_ id: IdempotencyKey, _ outcome: MutationOutcome) -> [Effect] {
        if let entry = openEntry(id) {
            needsReload = true
            // The server may have carried it out before somebody discarded it at an outbox.
            if entry.mutation.delivery?.progress.isDiscarded == true { lastSettlement = logicalClock.next() }
            return removeFirst(entry, outcome) + settled()
        }
        guard let entry = log.remove(id) else { return [] }
        folded = nil
        return fail(entry, outcome)
    }

    /// U4: Shows a mutation as failed that its outbox keeps as refused, also from an earlier
    /// process.
    package func showRefusal(of mutation: Mutation<Value>, _ error: any Error) {
        _ = keep(.init(mutation: mutation), .rejected(error))
    }

    /// Returns how a mutation fails because of failures that were not dismissed, or `nil` if it
    /// does not.
    package func outcomeAfterFailures(of mutation: Mutation<Value>) -> MutationOutcome? {
        let names = failed.names(besides: mutation.id)
        return names.isEmpty ? nil : mutation.outcome(afterFailuresOf: names)
    }

    /// U4: Returns the pending mutation without which an intent does not apply to the visible
    /// value, or `nil` if it applies to the server state alone.
    ///
    /// An edit needs the pending mutation that creates its record.
    ///
    /// An outbox does not know the mutations that exist only in memory.
    package func premise(of intent: Intent<Value>, isDurable: Bool) -> IdempotencyKey? {
        func applies(to content: RecordContent<Value>) -> Bool {
            if case .edit = intent.effect, case .notLoaded = content { return false }
            var content = content
            return (try? intent.apply(to: &content)) != nil
        }
        if log.isEmpty || applies(to: base.content) { return nil }
        logicalClock.beginFold()
        defer { logicalClock.endFold() }
        var (content, premise, didApply) = (base.content, nil as IdempotencyKey?, false)
        for entry in log.all {
            // A16: As in `visible`, an intent that reads the record sees the value that it is
            // applied to.
            folded = content
            try? entry.mutation.intent.apply(to: &content)
            folded = content
            let applies = applies(to: content)
            if applies, !didApply { premise = isDurable ? entry.mutation.delivery?.id : entry.mutation.id }
            didApply = applies
        }
        return didApply ? premise : nil
    }

    /// Removes a failure that the user has seen; mutations that depend on it still fail (A23).
    package func dismiss(_ id: IdempotencyKey) {
        failed.dismiss(id)
    }

    /// Removes a failure that is no longer true.
    package func endFailure(_ id: IdempotencyKey) {
        failed.end(id)
    }

    /// A18: Sends nothing until ``proceed()``, because another record must be created first.
    package func wait() {
        isWaiting = true
    }

    /// A18: Ends the wait for the creation of another record.
    package func proceed() -> [Effect] {
        isWaiting = false
        return sendFirst()
    }

    private func openEntry(_ id: IdempotencyKey) -> MutationLog<Value>.Entry? {
        if let entry = log.first, entry.mutation.id == id { entry } else { nil }
    }

    /// A3: Sends the first mutation of the log if it is queued, or reloads once if the log is empty
    /// (A9).
    private func sendFirst() -> [Effect] {
        var effects: [Effect] = []
        while let entry = log.first {
            guard !entry.isSent, !isWaiting else { return effects }
            var content = base.content
            do {
                // An outbox has it already, so only the server can refuse it.
                if entry.mutation.delivery == nil { try entry.mutation.intent.apply(to: &content) }
            } catch {
                effects += removeFirst(entry, .targetMissing(error))
                continue
            }
            log.sendFirst()
            return effects + [.send(entry.mutation)]
        }
        // The cache would keep a value alive for no reason.
        folded = nil
        if needsReload {
            needsReload = false
            effects.append(.reload)
        }
        return effects
    }

    /// Judges the load that was set aside, after a send is settled, and then continues with the
    /// log.
    private func settled() -> [Effect] {
        if let held {
            self.held = nil
            if land(held) == .reload { needsReload = true }
        }
        return sendFirst()
    }

    private func removeFirst(_ entry: MutationLog<Value>.Entry, _ outcome: MutationOutcome) -> [Effect] {
        log.removeFirst()
        folded = nil
        return fail(entry, outcome)
    }

    /// Notes that a mutation that has left the log failed, and that those that need it failed, too.
    private func fail(_ entry: MutationLog<Value>.Entry, _ outcome: MutationOutcome) -> [Effect] {
        // Nothing is left to edit if a creation fails (A4).
        let isOrphaning = if case .replace = entry.mutation.intent.effect { !isKnown } else { false }
        let isInsertion = creation.map(entry.ids.contains) ?? false
        let dependents = log.removeDependents(of: entry, isOrphaning: isOrphaning, isInsertion: isInsertion)
        return [keep(entry, outcome)]
            + dependents.map { dependent in
                if case .acknowledged = dependent.outcome { return .settle(dependent.entry.ids, .acknowledged) }
                return keep(dependent.entry, dependent.outcome)
            }
    }

    /// Keeps a failure until it is dismissed, and returns the effect for its callers.
    private func keep(_ entry: MutationLog<Value>.Entry, _ outcome: MutationOutcome) -> Effect {
        let mutation = entry.mutation
        failed.add(
            MutationFailure(
                id: mutation.id,
                superseded: entry.superseded,
                label: mutation.label,
                name: mutation.name,
                element: mutation.intent.element,
                outcome: outcome,
                delivery: mutation.delivery
            )
        )
        return .settle(entry.ids, outcome)
    }
}

// MARK: - Loads

extension RecordStateMachine {
    /// Whether the load under way may contain the last settlements, so that joining it is as good
    /// as a new load.
    package var canJoinLoad: Bool {
        guard let currentLoad else { return false }
        return isSendOpen || currentLoad.number > lastSettlement
    }

    /// Starts a load, which replaces any load that is under way (A8).
    package func beginLoad() -> LoadStamp {
        let load = logicalClock.startLoad()
        currentLoad = load
        return load
    }

    /// A7, A8: Takes a loaded value into the server state, sets it aside while a send is open and
    /// another value is shown (A20), or drops it.
    ///
    /// The record need not have started the load. It may be the load of a page that contains the
    /// record, and the page may have been requested before the record existed.
    package func finish(_ load: LoadStamp, with value: Value, revision: Int? = nil) -> [Effect] {
        if currentLoad?.number == load.number {
            currentLoad = nil
            failedLoad = nil
        }
        // A later load has landed, so this load only ends the wait of its own callers; or the load
        // belongs to a former session.
        guard load.number > max(lastLanded, logicalClock.epoch) else { return [] }
        lastLanded = load.number
        if let failedLoad, failedLoad.load.number < load.number { self.failedLoad = nil }
        let landed = Held(load: load, content: .present(value), revision: revision)
        // If a newer load is under way, that load is the reload.
        let reload: [Effect] = currentLoad.map { $0.number > load.number } ?? false ? [] : [.reload]
        if !isSendOpen { return land(landed) == .reload ? reload : [] }
        held = landed
        if isKnown { return [] }
        // A20: The outcome may never be known. Until then a value that may contain the mutation
        // already is better than none, but not a value that may lack a confirmed one.
        guard load.number > lastSettlement else { return reload }
        write(landed)
        return []
    }

    /// A13: Requests a reload as soon as nothing is pending, because the pending mutations may be
    /// carried out in another order than they have here.
    package func distrustOrder() {
        if !log.isEmpty { needsReload = true }
    }

    /// A9: Requests a reload, which waits until nothing is pending, unless no value is shown
    /// meanwhile.
    package func expectReload() -> [Effect] {
        if !isSendOpen || !isKnown { return [.reload] }
        needsReload = true
        return []
    }

    /// Returns whether a refresh loads at once: nothing is pending, or a load that may hang is
    /// under way (A22), or no value is shown; otherwise requests a reload.
    package func refresh() -> Bool {
        if currentLoad != nil || !isSendOpen || !isKnown { return true }
        needsReload = true
        return false
    }

    /// Notes that the load failed; the server state stays.
    package func fail(_ load: LoadStamp, _ error: any Error) {
        guard currentLoad?.number == load.number else { return }
        currentLoad = nil
        failedLoad = (load, error)
    }

    /// Notes that the load was cancelled; the state is the same as before the load.
    package func cancel(_ load: LoadStamp) {
        if currentLoad?.number == load.number { currentLoad = nil }
    }

    /// Returns whether the load is the current one, and no other load has superseded it.
    package func isCurrent(_ load: LoadStamp) -> Bool {
        currentLoad?.number == load.number
    }

    private func land(_ landed: Held) -> ServerState<Value>.Verdict {
        // No send is open here either: a send that started later would be settled by now, and its
        // settlement counts.
        let isRecent = landed.load.number > lastSettlement
        let verdict = base.judge(revision: landed.revision, isRecent: isRecent)
        if verdict == .write { write(landed) }
        return verdict
    }

    private func write(_ landed: Held) {
        base.write(landed.content, revision: landed.revision)
        (folded, lastWritten) = (nil, landed.load.number)
    }

    /// A28: Returns whether the value of the load was written, and none of a later load.
    package func hasWritten(_ load: LoadStamp) -> Bool { lastWritten == load.number }

    /// Whether the server state is known.
    private var isKnown: Bool { if case .notLoaded = base.content { false } else { true } }

    /// Starts a new session, which the clock already counts, and settles all pending mutations with
    /// `sessionEnded`.
    ///
    /// The record shows nothing of the former session, and no load of that session lands.
    package func beginEpoch() -> [Effect] {
        let sessionEnded = log.all.flatMap(\.ids)
        base = ServerState()
        log = MutationLog()
        (failed, folded) = (FailureMemory(), nil)
        (lastSettlement, lastLanded) = (0, 0)
        (currentLoad, held, needsReload, failedLoad) = (nil, nil, false, nil)
        isWaiting = false
        return sessionEnded.isEmpty ? [] : [.settle(sessionEnded, .sessionEnded)]
    }
}
