internal import BackplaneConcurrency
internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation

/// Sends the operations of one account, one per entity at a time.
///
/// It works in turns. A turn is one transaction: it writes the ends of attempts, and claims the
/// next operations. After it, the claimed operations are sent. Each end of an attempt leads to
/// another turn.
actor OutboxSender {
    /// How many operations are sent at a time.
    private static let width = 8

    private let outbox: Outbox
    private let account: String
    let holder = OutboxHolder()
    private let controller: AuthenticatedNetworkController
    private let explain: @Sendable (NetworkError) -> String
    /// The account that is told what has changed.
    private weak var observer: AccountOutbox?
    private let signal = Signal()
    private var outcomes: [OutboxOutcome] = []
    /// The attempts under way by number; after a lost lease, an operation may have several.
    private var attempts: [Int: Task<Void, Never>] = [:]
    private var lastAttempt = 0
    private var run: Task<Void, Never>?
    /// The number of the last call of start or stop, in the order in which the app has called them.
    private let orders = Locked(0)
    private var lastOrder = 0
    /// Whether the last of these calls was a start.
    private var isWanted = false
    /// How many calls of stop are under way.
    private var stops = 0
    /// The session whose credentials are used; no other user's operations are sent with them (D24).
    private var signIn: SignIn?
    /// How often the user has signed in again, or the network has come back.
    private var resumptions = 0
    private var isWaitingForSignIn = false
    /// Whether there is a network, and whether it has a price for each byte (D23).
    private var network = (isReachable: true, isMetered: false)
    private var failures = 0
    private var holdsLease = false
    /// Whether another sender had the lease at the last turn.
    private var wasBusy = false
    /// Whether operations were left after the last turn.
    private var expectsWork = false
    private var lastNoted: Int64 = 0
    /// Whether operations were removed whose words may still be in the log of the file (D40).
    private var leavesWords = false
    /// Reads the IDs that the server has given to created records, by kinds (A11).
    let aliases = Locked<[String: OutboxAlias]>([:])

    init(
        of account: String,
        in outbox: Outbox,
        through controller: AuthenticatedNetworkController,
        explaining explain: @escaping @Sendable (NetworkError) -> String
    ) {
        self.account = account
        self.outbox = outbox
        self.controller = controller
        self.explain = explain
    }

    deinit { run?.cancel() }

    /// Returns the number of a call of start or stop.
    nonisolated func order() -> Int {
        orders.withLock { last in
            last += 1
            return last
        }
    }

    /// Starts to send, unless it does already or a later call has stopped it.
    ///
    /// - Parameters:
    ///   - observer: The account that is told what has changed.
    ///   - signIn: The session whose credentials are used.
    ///   - order: The number of the call.
    func start(for observer: AccountOutbox, as signIn: SignIn, order: Int) {
        guard order > lastOrder else { return }
        (lastOrder, isWanted) = (order, true)
        self.observer = observer
        self.signIn = signIn
        begin()
    }

    private func begin() {
        // Two runs would wait for the same signal, so an earlier one must have ended.
        guard isWanted, stops == 0, run == nil, !outbox.isReadOnly else { return }
        let signal = signal
        run = Task { [weak self] in
            while !Task.isCancelled {
                // The sender is not kept alive during a wait.
                guard let wait = await self?.takeTurn() else { return }
                await wait.end(by: signal)
            }
        }
    }

    /// Looks for operations to send.
    nonisolated func wake() { signal.wake() }

    /// Notes a sign-in, or that the network is back; outcomes written later count as older.
    ///
    /// The caller queues the operations after that, and wakes the sender.
    func resume(as signIn: SignIn) {
        self.signIn = signIn
        resumptions += 1
        isWaitingForSignIn = false
        failures = 0
    }

    /// Whether the server has not refused the user's credentials.
    var canSend: Bool { run != nil && stops == 0 && !isWaitingForSignIn }

    func networkChanged(isReachable: Bool, isMetered: Bool) {
        network = (isReachable, isMetered)
        wake()
    }

    /// D18, D24: Ends all attempts, writes what is known about them, and gives the lease back.
    ///
    /// If a call of start is later than `order`, the sender continues after that.
    func stop(order: Int) async { await stop(order: order) {} }

    /// Stops, and sends nothing while `last` runs.
    func stop(order: Int, then last: @Sendable () async throws -> Void) async rethrows {
        if order > lastOrder { (lastOrder, isWanted) = (order, false) }
        stops += 1
        let run = run
        run?.cancel()
        signal.wake()
        await run?.value
        // Another stop has waited for the same run.
        if self.run == run { self.run = nil }
        for attempt in attempts.values { attempt.cancel() }
        // Each attempt removes itself.
        while let attempt = attempts.values.first {
            attempt.cancel()
            await attempt.value
        }
        if !outcomes.isEmpty { _ = await takeTurn() }
        await release()
        defer {
            stops -= 1
            begin()
        }
        try await last()
    }

    /// The wait for the next turn.
    private struct Wait: Sendable {
        /// Its end in milliseconds; `nil` if only a signal ends it.
        let time: Int64?
        let clock: OutboxClock

        func end(by signal: Signal) async {
            guard let time else { return await signal.wait() }
            let timer = Task { [clock] in
                try await clock.sleep(until: time)
                signal.wake()
            }
            await signal.wait()
            timer.cancel()
        }
    }

    /// Performs one turn, and returns the wait for the next one.
    private func takeTurn() async -> Wait {
        let resumptions = resumptions
        // D34: The user has signed in again since the server has refused them, so they need not
        // wait for that.
        let settled = outcomes.map { $0.resumed(before: resumptions) }
        outcomes = []
        let request = request(writing: settled)
        let now = request.now
        let notes = now - lastNoted > 60_000
        do {
            var turn = try await outbox.file.settle { [outbox] transaction in
                if notes { try transaction.noteTime(now) }
                // In the transaction, so that none is missed that stands in the file.
                let turn = try transaction.turn(request, except: outbox.held, jitter: outbox.jitter)
                outbox.endHere(turn.acknowledged, in: transaction)
                return turn
            }
            if notes { lastNoted = now }
            failures = 0
            if turn.isHolder { holdsLease = true }
            if !turn.acknowledged.isEmpty { leavesWords = true }
            if !turn.isHolder || turn.hasTakenOver { await outbox.finishElsewhere() }
            // Nothing suspends from here to the end of `finish`, so no sign-in is missed.
            if resumptions != self.resumptions { await resumeRefused(&turn) }
            finish(turn, settled)
            return await wait(until: turn.wakeAt, after: now)
        } catch {
            // Nothing was written, so nothing is sent, and the outcomes are written later.
            outcomes = settled + outcomes
            failures += 1
            observer?.onEvent(.fileFailed(.outboxFailed(outbox.file.path, error)))
            return await wait(until: now + min(Int64(1000) << min(failures, 6), 60_000), after: now)
        }
    }

    private func request(writing settled: [OutboxOutcome]) -> OutboxTurnRequest {
        OutboxTurnRequest(
            account: account,
            holder: holder,
            outcomes: settled,
            isSending: !attempts.isEmpty,
            limit: canSend && network.isReachable ? Self.width - attempts.count : 0,
            kinds: outbox.kinds,
            isMetered: network.isMetered,
            now: outbox.file.clock.now,
            timeOfDay: Int64(outbox.timeOfDay().timeIntervalSince1970 * 1000)
        )
    }

    /// Returns the wait after a turn; without attempts, gives the lease back.
    ///
    /// - Parameters:
    ///   - time: When the next operation may be sent, in milliseconds; `nil` if that is unknown.
    ///   - now: The time of the turn.
    /// - Returns: The wait.
    private func wait(until time: Int64?, after now: Int64) async -> Wait {
        let clock = outbox.file.clock
        // Renews the lease while a request is under way.
        guard attempts.isEmpty, outcomes.isEmpty else { return Wait(time: min(time ?? .max, now + 5000), clock: clock) }
        // Nothing keeps other senders from sending while this one waits.
        await release()
        // D30: Others may end operations for which callers of this process wait.
        return Wait(time: time ?? (outbox.hasTickets ? clock.now + 60_000 : nil), clock: clock)
    }

    /// D34: Has the operations sent again that the turn has made wait for a sign-in, because the
    /// user has signed in while it was written.
    private func resumeRefused(_ turn: inout OutboxTurn) async {
        guard turn.changed.contains(where: { $0.entry.state == .waitingForSignIn }) else { return }
        let account = account
        guard let rows = try? await outbox.file.settle({ try $0.resume(account) }) else { return }
        // If the sign-in has done so in the meantime, these rows are none, and it wakes the sender.
        turn.changed.removeAll { $0.entry.state == .waitingForSignIn }
        turn.changed += rows
        turn.hasMore = true
    }

    private func finish(_ turn: OutboxTurn, _ settled: [OutboxOutcome]) {
        if turn.changed.contains(where: { $0.entry.state == .waitingForSignIn }) {
            isWaitingForSignIn = true
            observer?.passOn()
        }
        var replies: [String: ServerReply] = [:]
        for outcome in settled {
            if let response = outcome.response { replies[outcome.row.id] = response }
        }
        // Before anything is sent: from here on, the server may know the claimed operations.
        outbox.note(turn, replies)
        if let observer {
            observer.note(turn)
        } else {
            outbox.accounts(named: account).first?.changed()
        }
        // Another process may have confirmed operations, or may do so next.
        let hasLessWork = expectsWork && !turn.isHolder && turn.wakeAt == nil
        if turn.isBusy || wasBusy || hasLessWork { observer?.changed() }
        wasBusy = turn.isBusy
        expectsWork = turn.wakeAt != nil || !turn.claimed.isEmpty
        for claim in turn.claimed { attempt(claim) }
        if !outcomes.isEmpty || turn.hasMore { wake() }
    }

    private func attempt(_ claim: OutboxClaim) {
        let (signIn, resumptions, row) = (signIn ?? controller.signIn, resumptions, claim.row)
        lastAttempt += 1
        let number = lastAttempt
        attempts[number] = Task {
            let departure = Departure()
            let end: Result<ServerReply, any Error>
            do {
                let (frozen, tag) = (claim.request, row.entityTag)
                end = .success(
                    try await self.controller.send(frozen, key: row.id, entityTag: tag, as: signIn, noting: departure)
                )
            } catch {
                end = .failure(error)
            }
            var outcome = OutboxOutcome(of: claim, end, departure, resumptions: resumptions, explaining: self.explain)
            if let response = outcome.response { outcome.alias = self.outbox.alias(of: row)?(row, response) }
            self.outcomes.append(outcome)
            self.attempts[number] = nil
            self.wake()
        }
    }

    private func release() async {
        guard holdsLease else { return }
        holdsLease = false
        let (account, holder) = (account, holder)
        _ = try? await outbox.file.settle { transaction in try transaction.releaseLease(of: account, holder: holder) }
        if leavesWords {
            leavesWords = false
            await outbox.file.wipe()
        }
        // Another sender of this process may wait for the lease.
        for other in outbox.accounts(named: account) where other.sender !== self { other.sender.wake() }
    }
}

/// Returns the ID in the app and the ID from the server of a record that an operation has created;
/// `nil` if they are the same.
typealias OutboxAlias = @Sendable (OutboxRow, ServerReply) -> (old: String, new: String)?
