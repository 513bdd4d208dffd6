internal import BackplaneConcurrency
internal import BackplaneFeatures
internal import BackplaneNetworking

extension AccountOutbox {
    /// Starts to send the operations, also those of earlier processes.
    ///
    /// Call it when the user is signed in, and again after ``stop()`` and ``drain(within:)``. While
    /// the operations are being sent, another call does the same as ``resume()``. A later call of
    /// ``stop()`` also ends a start that has not taken effect yet.
    public func start() {
        let (signIn, order) = (controller.signIn, sender.order())
        Task {
            await resumeAll(as: signIn)
            await sender.start(for: self, as: signIn, order: order)
            decideParked()
        }
    }

    /// Sends operations at once, if they wait for a sign-in, an update of the app, or their next
    /// attempt.
    ///
    /// Call it after the user of this account has signed in again. A store with changes in this
    /// outbox calls it in its `refresh()`. Before ``start()``, nothing is sent.
    /// The operations are sent with the credentials of the user who is signed in at the time of the
    /// call.
    public func resume() {
        let signIn = controller.signIn
        Task {
            await resumeAll(as: signIn)
            // A question to the server may have failed without a network.
            decideParked()
        }
    }

    private func resumeAll(as signIn: SignIn) async {
        // The sender first: an outcome that is written after the rows counts as older (D34).
        await sender.resume(as: signIn)
        await resumeRows()
        sender.wake()
        // Other processes may have sent or decided about changes that the stores show. This one may
        // send nothing.
        await outbox.finishElsewhere()
        changed(kinds: Set(outbox.kinds.keys))
    }

    /// Leaves the operations to another sign-in of the same user, as in another window of a server.
    func passOn() {
        let others = outbox.accounts(named: account).filter { $0 !== self }
        guard !others.isEmpty else { return }
        Task {
            for other in others where await other.sender.canSend {
                await resumeRows()
                other.sender.wake()
                return
            }
        }
    }

    private func resumeRows() async {
        let account = account
        do {
            let rows = try await outbox.file.change { transaction in try transaction.resume(account) }
            for row in rows { outbox.existingTicket(row.id)?.update(row.progress) }
        } catch {
            if !outbox.isReadOnly { onEvent(.fileFailed(.outboxFailed(outbox.file.path, error))) }
        }
    }

    /// Ends all attempts, and returns when this object sends nothing any more (D24).
    ///
    /// Call it before another user signs in, and before the process is suspended. The operations
    /// stay in the file. An attempt that was under way is repeated after ``start()``, with the same
    /// key.
    public func stop() async {
        await sender.stop(order: sender.order())
    }

    /// Sends operations for a limited time, and then stops (D18).
    ///
    /// Use it in the background time that a system grants. It stops when the server has confirmed
    /// all operations that need no decision of the user, or when the time is over. It also stops
    /// when all other operations wait for a sign-in or an update, or need an operation about which
    /// the user must decide. When it returns, no request is under way, and no file is locked. The
    /// time includes waits for a file that another process has locked. Call ``start()`` to continue
    /// later.
    ///
    /// ```swift
    /// let left = try await mine.drain(within: .seconds(20))
    /// if !left.isDrained { scheduleDrain() }
    /// ```
    ///
    /// - Parameter time: The maximum time. If the task is cancelled, the function stops at once.
    /// - Returns: The operations that are left.
    /// - Throws: ``StorageError`` with `databaseFailed` if the operations that are left cannot be
    ///   read.
    @discardableResult
    public func drain(within time: Duration) async throws -> OutboxStatus {
        let (clock, patience) = (outbox.file.clock, outbox.file.patience)
        let end = clock.now + time.milliseconds
        // Both numbers now, so that a later call of start wins.
        let (signIn, started, stopped) = (controller.signIn, sender.order(), sender.order())
        let work = Task {
            await resumeAll(as: signIn)
            await sender.start(for: self, as: signIn, order: started)
            await waitUntilIdle()
        }
        let hasStopped = Locked(false)
        let timer = Task {
            // It also ends if the caller is cancelled.
            try? await clock.sleep(until: end)
            if hasStopped.withLock({ $0 }) { return false }
            // From now on, a transaction that waits for another process fails.
            patience.beginHurry()
            work.cancel()
            return true
        }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            timer.cancel()
        }
        await sender.stop(order: stopped)
        hasStopped.withLock { $0 = true }
        timer.cancel()
        if await timer.value { patience.endHurry() }
        // A task of its own, because a cancelled one would not read.
        return try await Task { try await readStatus() }.value
    }

    /// Suspends until nothing can be sent without the user.
    private func waitUntilIdle() async {
        let account = account
        for await _ in watch() {
            let isBusy = try? await outbox.file.read { transaction in
                if try transaction.isAny(of: account, in: .sending) { return true }
                // After a refused sign-in, nothing is sent until the next one.
                return try !transaction.isAny(of: account, in: .waitingForSignIn) && transaction.isAnyFree(of: account)
            }
            if isBusy != true { return }
        }
    }

    /// Sets the state of the network; until the first call, the network counts as reachable and not
    /// metered (D23).
    ///
    /// - Parameters:
    ///   - isReachable: Whether there is a network. Without a network, nothing is sent, and no
    ///     attempts are counted.
    ///   - isMetered: Whether the network has a price for each byte.
    public func networkChanged(isReachable: Bool, isMetered: Bool = false) async {
        await sender.networkChanged(isReachable: isReachable, isMetered: isMetered)
    }

    /// Tells the observers what a turn has changed.
    func note(_ turn: OutboxTurn) {
        for row in turn.changed { note(row) }
        if !turn.acknowledged.isEmpty || !turn.changed.isEmpty || !turn.claimed.isEmpty {
            changed()
        }
        if turn.changed.contains(where: { $0.entry.state.isParked }) { decideParked() }
    }

    private func note(_ row: OutboxRow) {
        guard let operation = row.operation else { return }
        switch row.entry.state {
        case .refused, .conflict, .needsReview: onEvent(.parked(operation))
        case .waitingForSignIn: onEvent(.waitsForSignIn(operation))
        case .queued, .sending, .waitingForUpdate: break
        }
    }
}
