internal import BackplaneConcurrency

// The mutations of a record: steps 2, 4, 6 and 7 of the list at ``Record``.
extension Record {
    /// Makes a mutation, unless it is under way already.
    ///
    /// - Parameters:
    ///   - mutation: the mutation.
    ///   - owner: the actor of the record; by default the one of its last load.
    ///   - caller: the caller that waits for the outcome, if any.
    func mutate(_ mutation: Mutation<Value>, on owner: (any Actor)? = nil, for caller: SharedResult? = nil) {
        self.owner = owner ?? self.owner
        turn {
            let isUnderWay = callers[mutation.id] != nil
            callers[mutation.id, default: []] += caller.map { [$0] } ?? []
            if isUnderWay { return }
            apply { $0.append(mutation) }
            guard let delivery = mutation.delivery, isPending(mutation.id), let call = call(about: delivery) else {
                return
            }
            delivery.begin(notifying: call, for: store?.session ?? StoreSession())
            // It is shown at once that it was not saved. A refusal is shown in a turn of its own.
            let progress = delivery.progress
            if progress.failure != nil, !progress.isSaved { deliveryHasChanged(of: mutation.id, delivery) }
        }
    }

    /// Returns the call that follows the progress of a delivery.
    private func call(about delivery: any MutationDelivery) -> OwnerCall? {
        let (id, record) = (delivery.id, WeakReference(self))
        return owner.map { OwnerCall(on: $0) { record.object?.deliveryHasChanged(of: id, delivery) } }
    }

    private func deliveryHasChanged(of id: IdempotencyKey, _ delivery: any MutationDelivery) {
        guard isPending(id) else { return }
        let progress = delivery.progress
        apply { machine in
            // The store shows its replacement in the same step.
            guard let failure = progress.failure, progress.hasEnded || !progress.isReplaced else { return [] }
            return machine.withdraw(id, progress.isSaved ? .rejected(failure) : .notSaved(failure))
        }
    }

    /// Suspends until a mutation is on the disk, or nothing is left that would save it.
    ///
    /// - Throws: the error of the mutation if it has failed before.
    func saved(_ mutation: IdempotencyKey) async throws {
        while try isBeingSaved(mutation) {
            let waiters = waiters ?? Waiters()
            self.waiters = waiters
            await waiters.wait()
            try Task.checkCancellation()
        }
    }

    private func isBeingSaved(_ mutation: IdempotencyKey) throws -> Bool {
        if let failure = machine.failures.first(where: { $0.id == mutation }) {
            let wasSaved = failure.delivery?.progress.isSaved == true
            let error = wasSaved ? nil : FeatureError(failure.outcome, of: mutation, label: failure.label)
            if let error { throw error }
            return false
        }
        let delivery = machine.log.all.first { $0.ids.contains(mutation) }?.mutation.delivery
        return delivery.map { $0.survives && !$0.progress.isSaved } ?? false
    }

    /// Sends the mutation at once that waits for its next attempt.
    ///
    /// - Parameter isAutomatic: whether the user has not asked for it.
    func retryPending(isAutomatic: Bool = false) {
        guard let memory, memory.isWaiting else { return }
        memory.hurry(isAutomatic: isAutomatic)
        apply { _ in [] }
    }

    func dismiss(_ mutation: IdempotencyKey) {
        // An outbox keeps a failed change until somebody decides about it.
        if let store, keptFailures.contains(mutation) {
            store.sender?.unfinished?.dismiss(mutation, in: store.presence)
        }
        apply { machine in
            machine.dismiss(mutation)
            return []
        }
        store?.release(self)
    }

    /// The failed mutations that an outbox keeps until somebody decides about them.
    var keptFailures: [IdempotencyKey] { machine.failures.filter(\.isKept).map(\.id) }

    /// U4: Shows a change as failed that an outbox keeps as refused.
    func showRefusal(of mutation: Mutation<Value>, _ error: any Error) {
        apply { machine in
            machine.showRefusal(of: mutation, error)
            return []
        }
    }

    /// Whether a mutation of an outbox is shown as failed, and nothing about that has changed.
    func isStillFailed(_ mutation: Mutation<Value>) -> Bool {
        hasFailed(mutation.id) && machine.outcomeAfterFailures(of: mutation) != nil
    }

    /// Removes the failures about which somebody has decided at the outbox, and returns whether
    /// there were any.
    func endFailures(_ decided: [IdempotencyKey]) -> Bool {
        guard decided.contains(where: hasFailed) else { return false }
        apply { machine in
            for mutation in decided { machine.endFailure(mutation) }
            return []
        }
        return true
    }

    /// D21: Removes the unsettled mutations that an outbox has replaced by others, which the store
    /// shows in the same turn.
    func endReplaced(where isGone: (IdempotencyKey) -> Bool) {
        for mutation in machine.log.all.map(\.mutation) where isGone(mutation.id) {
            guard let progress = mutation.delivery?.progress, progress.isReplaced, let failure = progress.failure
            else { continue }
            apply { $0.withdraw(mutation.id, .rejected(failure)) }
            if endFailures([mutation.id]) { expectReload() }
        }
    }

    func beginEpoch() {
        sending?.cancel()
        memory = nil
        // The mutations that wait for this record end with the session, too.
        successors = [:]
        subscribers.cancelLoad()
        load = nil
        age = nil
        (isWanted, isOutdated) = (false, false)
        // A14: All callers of the shared load belong to the session that ends.
        share?.end?()
        share = nil
        invalidate?(id)
        apply { $0.beginEpoch() }
    }

    /// Waits for the outcome of a mutation, and sends it if no outbox does.
    func send(_ mutation: Mutation<Value>) {
        guard let owner else { return }
        let session = Session(logicalClock)
        let memory = mutation.delivery == nil ? MemoryDelivery(on: options.clock) : nil
        self.memory = memory
        sending = startDetachedTask(on: owner) {
            // A14: The session may have ended after this task was started, or during a wait. The
            // next session may have a mutation with the same ID.
            guard session.isCurrent else { return }
            do {
                let response = try await self.response(to: mutation, memory, session)
                if session.isCurrent { self.acknowledge(mutation.id, with: response) }
            } catch {
                guard session.isCurrent else { return }
                if memory != nil { return self.apply { $0.withdraw(mutation.id, .rejected(error)) } }
                // A cancelled wait is no outcome.
                if !(error is CancellationError), let delivery = mutation.delivery {
                    self.deliveryHasChanged(of: mutation.id, delivery)
                }
            }
        }
    }

    private func response(
        to mutation: Mutation<Value>,
        _ memory: MemoryDelivery?,
        _ session: Session
    ) async throws -> Mutation<Value>.Response {
        guard let memory else { return try await mutation.send(mutation.id) }
        let isDeletion = if case .delete = mutation.intent.effect { true } else { false }
        // No capture lists: see `Mutation.init(_:label:after:send:confirming:merging:)`.
        let response = try await memory.response(isDeletion: isDeletion, isRejection: options.isRejection) {
            guard session.isCurrent else { throw CancellationError() }
            self.apply { _ in [] }
        } _: {
            try await SentRecord.$entityTag.with(self.entityTag) { try await mutation.send(mutation.id) }
        }
        return response ?? .done
    }

    /// D22: The value that the server is known to have, and its tag.
    var taggedBase: (value: Value, entityTag: String)? {
        guard let value = machine.valueOfServer, let entityTag else { return nil }
        return (value, entityTag)
    }

    /// R3: The tag of the value that the server is known to have.
    private var entityTag: String? {
        guard let entityTag = options.entityTag, let value = machine.valueOfServer else { return nil }
        return entityTag(value)?.strongEntityTag
    }

    private func acknowledge(_ mutation: IdempotencyKey, with response: Mutation<Value>.Response) {
        guard case .value(let value) = response else { return apply { $0.acknowledge(mutation, with: response) } }
        let revision = options.revision?(value)
        guard let store, let newID = newID(in: value, after: mutation) else {
            return apply { $0.acknowledge(mutation, with: response, revision: revision) }
        }
        // In one turn, so that no observer sees the record under both IDs.
        store.turn {
            if let other = store.rename(self, from: id, to: newID) {
                other.adopt(self, acknowledging: mutation, with: value, revision: revision)
            } else {
                id = newID
                let mustLoad = isLoadOfOldID
                apply { $0.acknowledge(mutation, with: response, revision: revision) }
                if mustLoad { loadAgain() }
            }
        }
    }

    /// A11: Returns the ID that the server has given the record in place of its current one, or
    /// `nil` if it has not.
    private func newID(in value: Value, after mutation: IdempotencyKey) -> ID? {
        // A response to a mutation of a former session must not rename a record.
        guard let store, let identity = store.identity, machine.log.first?.mutation.id == mutation else { return nil }
        let newID = store.currentID(of: identity(value))
        return newID == id ? nil : newID
    }

    /// A11: Takes over the loaders and the pending mutations of `other`, which turned out to be
    /// this record.
    private func adopt(_ other: Record, acknowledging mutation: IdempotencyKey, with value: Value, revision: Int?) {
        owner = owner ?? other.owner
        isWanted = isWanted || other.isWanted
        callers.merge(other.callers) { $0 + $1 }
        other.callers = [:]
        successors.merge(other.successors) { own, others in own + others }
        other.successors = [:]
        let loaders = other.loaders.compactMap(\.object)
        for loader in loaders { loader.follow(other, to: self) }
        let mustLoad = other.isLoadOfOldID
        other.subscribers.cancelLoad()
        let takenOver = other.takeMachine()
        if mustLoad, load == nil { loadAgain() }
        apply { $0.adopt(takenOver, acknowledging: mutation, with: value, revision: revision) }
        // A response arrived, so the network works again.
        retryPending(isAutomatic: true)
    }

    /// Returns the state machine and replaces it with an empty one, so that nothing is pending here
    /// and no load lands.
    private func takeMachine() -> Machine {
        let taken = machine
        machine = Machine()
        waiters?.resumeAll()
        store?.note(self)
        return taken
    }

    /// Whether a load of the former ID is under way or has failed; it says nothing about the record
    /// under its new ID.
    private var isLoadOfOldID: Bool { load != nil || machine.loadError != nil }
}
