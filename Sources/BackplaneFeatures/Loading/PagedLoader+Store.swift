internal import BackplaneConcurrency

extension PagedLoader: StoreObserver {
    func forget() {
        isChanged = false
        cachedItems = nil
    }

    func tell() { changes.publish() }
}

extension PagedLoader: RecordList {
    func contains(_ id: Item.ID) -> Bool { machine.contains(id) }

    func needs(_ id: Item.ID) -> Bool { machine.needs(id) }

    func rename(_ old: Item.ID, to new: Item.ID) {
        machine.rename(old, to: new)
        missed = missed.map { $0 == old ? new : $0 }
    }

    func restoreInsertion(
        of id: Item.ID,
        by mutation: IdempotencyKey,
        before isLater: (IdempotencyKey) -> Bool
    ) {
        if store.existing(id)?.hasFailed(mutation) == true {
            miss(id)
            publish()
        } else {
            machine.insert(id, by: mutation, before: isLater)
        }
    }

    func recordHasChanged(_ id: Item.ID) {
        guard !isMerging else { return }
        guard contains(id) || missed.contains(id) else { return }
        settleInsertion(of: id)
        publish()
        reloadIfDue()
    }

    private func settleInsertion(of id: Item.ID) {
        guard let mutation = machine.insertion(of: id), let record = store.existing(id), !record.isPending(mutation)
        else { return }
        machine.settleInsertion(of: id, isMade: !record.hasFailed(mutation))
        if !contains(id) { miss(id) }
    }

    func expectReload(after settlement: Int, isHidden: Bool) {
        awaitedSettlement = max(awaitedSettlement ?? 0, settlement)
        hidesItem = hidesItem || isHidden
        reloadIfDue()
    }

    func refresh() {
        // At once, because neither a load that may hang (A22) nor a change of one item (A21) may
        // hide the others.
        if machine.isLoading || !isFresh { start(.refresh) }
    }

    func beginEpoch() {
        task?.cancel()
        machine.beginEpoch()
        // The list does not reload on its own until a caller loads it in the new session.
        (owner, hasOwner) = (nil, false)
        age = nil
        (awaitedSettlement, hidesItem) = (nil, false)
        missed = []
        publish()
    }
}
