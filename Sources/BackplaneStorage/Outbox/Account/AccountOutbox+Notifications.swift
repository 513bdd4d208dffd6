internal import BackplaneConcurrency
internal import BackplaneFeatures

extension AccountOutbox {
    /// Calls `call` of a store, as long as it exists, whenever others have added or decided changes
    /// of a kind.
    func listen(to kind: String, _ call: OwnerCall, of store: StorePresence) {
        content.withLock { content in
            content.listeners.removeAll { $0.call == nil }
            content.listeners.append(Listener(kind: kind, call: call, store: store))
        }
    }

    /// Notifies the observers of all objects of this account, and the stores with changes of these
    /// kinds; by default only the observers.
    ///
    /// U5: A store that knows of the change is not notified, because it would read all its changes
    /// again.
    func changed(kinds: Set<String> = [], knownTo isKnown: (StorePresence) -> Bool = { _ in false }) {
        for mine in outbox.accounts(named: account) {
            mine.refresh()
            if !kinds.isEmpty { OwnerCall.callAll(mine.listeners(to: kinds, knownTo: isKnown).map(\.call)) }
        }
    }

    /// Has the stores with changes of these kinds read them, and returns when they show them.
    func show(kinds: Set<String>) async {
        await withDiscardingTaskGroup { group in
            for (call, store) in outbox.accounts(named: account).flatMap({ $0.listeners(to: kinds) }) {
                group.addTask {
                    await call.done()
                    await store.hasRead()
                }
            }
        }
    }

    private func listeners(
        to kinds: Set<String>,
        knownTo isKnown: (StorePresence) -> Bool = { _ in false }
    ) -> [(call: OwnerCall, store: StorePresence)] {
        content.withLock { content in
            content.listeners.compactMap { listener in
                guard kinds.contains(listener.kind), let store = listener.store, !isKnown(store) else { return nil }
                return listener.call.map { ($0, store) }
            }
        }
    }

    /// Reads the status again; at most one such read is under way.
    func refresh() {
        let mayStart = content.withLock { content in
            // Without observers, nothing is read.
            (content.isObserved || content.isListed || !content.watchers.isEmpty) && content.refresh.request()
        }
        if mayStart { readStatus() }
    }

    private func readStatus() {
        let (account, isListed) = (account, content.withLock { $0.isListed })
        let limit = isListed ? Self.listedOperations : 0
        let isObserved = content.withLock { $0.isObserved }
        Task { [weak self, outbox] in
            let read = try? await outbox.file.read { transaction in
                let start = ContinuousClock.now
                let rows = limit == 0 ? [] : try transaction.operations(of: account, limit: limit)
                let status = isObserved ? try transaction.status(of: account) : .empty
                return (status: status, operations: rows.compactMap(\.operation), time: start.duration(to: .now))
            }
            // Counting many operations takes long. Sending them comes first.
            if let read, read.time > .milliseconds(5) {
                try? await Task.sleep(for: min(read.time * 10, .milliseconds(250)))
            }
            self?.finishRefresh(read.map { ($0.status, $0.operations) })
        }
    }

    private func finishRefresh(_ read: (OutboxStatus, [OutboxOperation])?) {
        let (mustRefresh, watchers) = content.withLock { content in
            if let read { (content.status, content.operations) = read }
            return (content.refresh.finish(), Array(content.watchers.values))
        }
        changes.publish()
        for watcher in watchers { watcher.yield() }
        if mustRefresh { readStatus() }
    }
}
