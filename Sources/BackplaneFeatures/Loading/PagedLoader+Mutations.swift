internal import BackplaneConcurrency

extension PagedLoader {
    /// Changes an item at once, sends the mutation to the server, and suspends until the server
    /// accepts or rejects it.
    ///
    /// All guarantees of ``Loader/mutate(_:)`` apply. If the server accepts a change without
    /// sending a value back, the list is loaded again when nothing is pending. The reload includes
    /// all items that are loaded now, so no item disappears. After a deletion, the list is not
    /// loaded again. So the cursor of the next page should not depend on the number of items before
    /// it.
    ///
    /// - Throws: ``FeatureError``, as ``Loader/mutate(_:)`` does; `notLoaded` if the list's store
    ///   has no such item. `CancellationError` if the caller is cancelled.
    public func mutate(_ mutation: Mutation<Item>, of id: Item.ID) async throws {
        try await mutation.settled { try make(mutation, of: id, for: $0) }
    }

    /// Changes an item at once and sends the mutation, as ``mutate(_:of:)`` does, but does not
    /// wait: see ``Loader/enqueue(_:)``.
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if the list's store has no such item.
    public func enqueue(_ mutation: Mutation<Item>, of id: Item.ID) throws {
        try make(mutation, of: id)
    }

    /// Changes an item at once, lets the list's store send the change, and does not wait: see
    /// ``Loader/enqueue(_:label:after:)``.
    ///
    /// - Returns: the ID of the mutation, for ``saved(_:of:)``.
    /// - Throws: ``FeatureError`` with `notLoaded` if the list's store has no such item, or with
    ///   `noSender` if the store cannot send changes of this type.
    @discardableResult
    public func enqueue(
        _ change: some RecordChange<Item>,
        of id: Item.ID,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = []
    ) throws -> IdempotencyKey {
        let options = MutationOptions<Item>(label: label, dependencies: dependencies)
        let mutation = try store.mutation(for: change, of: id, options: options)
        try enqueue(mutation, of: id)
        return mutation.id
    }

    /// Suspends until a mutation of an item is on the disk, as ``Loader/saved(_:)`` does.
    ///
    /// ```swift
    /// let change = try messages.insert(SendMessage(message))
    /// try await messages.saved(change, of: message.id)
    /// ```
    public func saved(_ mutation: PendingMutation.ID, of id: Item.ID) async throws {
        try await store.existing(id)?.saved(mutation)
    }

    private func make(_ mutation: Mutation<Item>, of id: Item.ID, for caller: SharedResult? = nil) throws {
        guard let owner, let record = store.existing(id), record.isKnown else {
            throw FeatureError.unknownItem(mutation.id, label: mutation.label)
        }
        record.mutate(mutation, on: owner, for: caller)
    }

    /// Creates an item that is visible at once at the start of the list, and sends the mutation, as
    /// ``mutate(_:of:)`` does.
    ///
    /// The list shows the item exactly once, even if it is loaded in the meantime. The item stays
    /// at the start until a newer list arrives: one that was requested after the server had created
    /// the item. That list decides the place of the item. If the server refuses, the item
    /// disappears.
    ///
    /// **Order.** In a list with `insertsInOrder`, the mutation is sent after the earlier
    /// insertions of the list have succeeded or failed. So it waits while the outcome of one of
    /// them is unknown.
    ///
    /// **IDs from the server.** If the item in the response has another ID, the item takes that ID
    /// and can be found by both IDs: see ``currentID(of:)``. Until the response arrives, a page may
    /// already contain the item under its new ID. Then both are shown, and only the inserted one is
    /// pending. In a store without `identity`, the ID of an item never changes.
    ///
    /// - Parameters:
    ///   - item: the item, with an ID that is created on the device, such as a UUID.
    ///   - label: the name of the mutation in ``pending(of:)``.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - confirming: returns the item from the result of `send`, or `nil` if the result does not
    ///     contain it. Without an item, the list is loaded again. A server that replaces IDs must
    ///     send the item back, because otherwise its new ID is unknown.
    /// - Throws: the errors of ``mutate(_:of:)``; `notLoaded` if the list was never loaded.
    public func insert<Response>(
        _ item: Item,
        label: String? = nil,
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Item? = { _ in nil }
    ) async throws {
        let mutation = Mutation(.replace(item), label: label, send: send, confirming: confirming)
        try await mutation.settled { try insert(item.id, by: mutation, for: $0) }
    }

    /// Creates an item that is visible at once at the start of the list, lets the list's store send
    /// the change, and does not wait.
    ///
    /// The intent of the change must be ``Intent/replace(_:)`` with the new item. The guarantees of
    /// ``insert(_:label:send:confirming:)`` apply.
    ///
    /// ```swift
    /// try messages.insert(SendMessage(message))
    /// ```
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if the list was never loaded, or with `noSender`
    ///   if the store cannot send changes of this type.
    /// - Returns: the ID of the mutation.
    @discardableResult
    public func insert(_ change: some RecordChange<Item>, label: String? = nil) throws -> IdempotencyKey {
        guard case .replace(let item) = change.intent.effect else {
            preconditionFailure("A change that is inserted into a list has the intent `replace` with the new item.")
        }
        var options = MutationOptions<Item>(label: label)
        // An outbox keeps this order by itself, in later processes, too (D32).
        if insertsInOrder { options.predecessor = machine.openInsertion.flatMap { machine.insertion(of: $0) } }
        let mutation = try store.mutation(for: change, of: item.id, options: options)
        try insert(item.id, by: mutation)
        return mutation.id
    }

    private func insert(_ id: Item.ID, by mutation: Mutation<Item>, for caller: SharedResult? = nil) throws {
        guard let owner else { throw FeatureError.unknownItem(mutation.id, label: mutation.label) }
        store.turn {
            let record = store.record(id)
            let earlier = insertsInOrder ? machine.openInsertion.flatMap(store.existing) : nil
            machine.insert(record.id, by: mutation.id)
            record.isMade(by: mutation.id, after: earlier)
            record.mutate(mutation, on: owner, for: caller)
        }
    }

    /// Returns the current ID of an item, as ``RecordStore/currentID(of:)`` does.
    public func currentID(of id: Item.ID) -> Item.ID { store.currentID(of: id) }

    /// Resends every unconfirmed mutation of the list's items immediately.
    public func retryPending() {
        store.sender?.unfinished?.resume()
        store.turn {
            for record in Array(store.pendingRecords) where contains(record.id) { record.retryPending() }
        }
    }

    /// Removes a failed mutation from the item's ``pending(of:)``, after the user has seen it, as
    /// ``Loader/dismiss(_:)`` does.
    public func dismiss(_ mutation: PendingMutation.ID, of id: Item.ID) {
        store.turn {
            store.existing(id)?.dismiss(mutation)
            // The item of a rejected insertion is not on the list, but its failure is observed.
            publish()
        }
    }
}
