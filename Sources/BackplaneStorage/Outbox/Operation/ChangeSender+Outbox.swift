internal import BackplaneConcurrency
public import BackplaneFeatures
public import BackplaneNetworking
internal import Foundation

extension ChangeSender where ID: Codable & Sendable {
    /// Creates a sender for changes that survive the end of the process.
    ///
    /// The store and its features are the same as with changes in memory. A change is visible at
    /// once, and is on the disk a moment later: see `PendingMutation.isSaved`. If the change cannot
    /// be saved, it disappears, and its error has a ``StorageError`` as the cause. After a restart,
    /// the store applies the changes that the server has not confirmed, before its first load. The
    /// store belongs to the user of `outbox`; another user needs a store with another sender.
    ///
    /// ```swift
    /// let todos = RecordStore<Course.ID, [Todo]>(
    ///     sending: ChangeSender(as: .todos, through: mine) { (change: FinishTodo, course) in
    ///         .finish(change.todo, of: course)
    ///     }
    /// )
    /// ```
    ///
    /// **IDs from the server.** The server may replace the ID of a new record. After it has
    /// confirmed the creation, `identity` returns the new ID. This ID then replaces the app's ID in
    /// all requests of the outbox that were never sent: in the path, the query and the body. So
    /// create the sender before ``AccountOutbox/start()``. Use IDs that cannot be part of another
    /// text, such as UUIDs. The store needs `identity`, too.
    ///
    /// If the response contains a part of the record, `merging` puts it into the server state:
    ///
    /// ```swift
    /// let todos = RecordStore<Todo.ID, Todo>(
    ///     sending: ChangeSender(
    ///         as: .todos,
    ///         through: mine,
    ///         merging: { (done: Done, todo) in todo.isDone = done.isDone }
    ///     ) { (change: FinishTodo, todo) in .finish(todo) }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - kind: One of the kinds of the outbox.
    ///   - outbox: The outbox of the signed-in user.
    ///   - entity: Returns the name of the thing that a change is about. Changes with the same name
    ///     are sent one at a time, in order. By default, each record has its own name.
    ///   - label: Returns a text for the user, for ``AccountOutbox/operations``.
    ///   - key: Returns the key of a change, or `nil` for a new one; called once, in the task that
    ///     makes the change. Two changes with one key are one operation, also after a restart. Use
    ///     it if a change comes from a message that may arrive twice, such as a form. The store
    ///     must not know the change already.
    ///   - confirming: Returns the value of the record from the response, or `nil` if the response
    ///     does not contain it. Without a value, the intent is applied to the server state, and a
    ///     reload follows.
    ///   - merging: Puts the part of the record from the response into the server state. Then the
    ///     intent and `confirming` are not used, and no reload follows. If it throws, the intent is
    ///     applied, and a reload follows.
    ///   - identity: Returns the ID of a created record from the response, if the server replaces
    ///     IDs; `nil` if the response does not contain it. It may be called on any actor.
    ///   - endpoint: Returns the request for a change of the record with this ID. It is called once
    ///     for each change, and the request is saved. With `identity`, it is called again, and not
    ///     on a particular actor.
    /// - Precondition: The outbox was opened with `kind`.
    public init<Change: RecordChange, Response>(
        as kind: OutboxKind,
        through outbox: AccountOutbox,
        entity: @escaping (Change, ID) -> String? = { _, _ in nil },
        label: @escaping (Change, ID) -> String? = { _, _ in nil },
        key: @escaping (Change, ID) -> IdempotencyKey? = { _, _ in nil },
        confirming: @escaping (Response) -> Value? = { _ in nil },
        merging: ((Response, inout Value) throws -> Void)? = nil,
        identity: (@Sendable (Response) -> ID?)? = nil,
        endpoint: @escaping @Sendable (Change, ID) -> AuthenticatedIdempotentEndpoint<Response>
    ) where Change.Value == Value {
        let channel = OutboxChannel<ID, Value, Change, Response>(
            kind: outbox.checked(kind),
            outbox: outbox,
            entity: entity,
            label: label,
            key: key,
            endpoint: endpoint
        ) { response in
            .made(of: response, confirming, merging)
        }
        self.init(unfinished: channel) { change, id, options in
            (change as? Change).flatMap { channel.mutation(for: $0, of: id, options) }
        }
        guard let identity else { return }
        let controller = outbox.controller
        let alias: OutboxAlias = { row, reply in
            guard let record = row.record, let written = row.change,
                let old = try? JSONDecoder().decode(ID.self, from: record),
                let change = try? JSONDecoder().decode(Change.self, from: written),
                let response = try? controller.decode(reply, from: endpoint(change, old)),
                let new = identity(response), new != old, let text = try? JSONEncoder.outbox.encode(new)
            else { return nil }
            return (OutboxRow.text(ofID: record), OutboxRow.text(ofID: text))
        }
        outbox.sender.aliases.withLock { $0[kind.name] = alias }
    }
}

/// The changes of one type that stores and an outbox exchange.
private struct OutboxChannel<
    ID: Hashable & Codable & Sendable,
    Value,
    Change: RecordChange,
    Response: Sendable
>: UnfinishedChanges where Change.Value == Value {
    let kind: OutboxKind
    let outbox: AccountOutbox
    let entity: (Change, ID) -> String?
    let label: (Change, ID) -> String?
    let key: (Change, ID) -> IdempotencyKey?
    let endpoint: (Change, ID) -> AuthenticatedIdempotentEndpoint<Response>
    let place: (Response) -> Mutation<Value>.Response
    /// The changes that cannot be decoded, each of which is reported once.
    let unreadable = Locked<Set<IdempotencyKey>>([])
    /// The changes that a store shows no longer, and that are about to be discarded.
    let dismissed = Locked<Set<IdempotencyKey>>([])

    func mutation(for change: Change, of id: ID, _ options: MutationOptions<Value>) -> Mutation<Value> {
        let (key, outbox) = (key(change, id) ?? IdempotencyKey(), outbox)
        let endpoint = endpoint(change, id)
        let draft = Result { try self.draft(key, change, id, options, endpoint) }
        let ticket = OutboxTicket(key, survives: !outbox.outbox.file.isInMemory) { ticket in
            switch draft {
            case .success(let draft): outbox.save(draft, ticket)
            case .failure(let error): ticket.finish(.failure(error))
            }
        }
        return mutation(change, key, options, ticket, endpoint)
    }

    func observe(_ observer: OwnerCall, of store: StorePresence) {
        outbox.listen(to: kind.name, observer, of: store)
    }

    func resume() { outbox.resume() }

    func dismiss(_ id: IdempotencyKey, in store: StorePresence) {
        dismissed.withLock { _ = $0.insert(id) }
        outbox.dismiss(id, of: kind, in: store) { [dismissed] in dismissed.withLock { _ = $0.remove(id) } }
    }

    private func draft(
        _ key: IdempotencyKey,
        _ change: Change,
        _ id: ID,
        _ options: MutationOptions<Value>,
        _ endpoint: AuthenticatedIdempotentEndpoint<Response>
    ) throws -> OutboxDraft {
        let record = try JSONEncoder.outbox.encode(id)
        return OutboxDraft(
            id: key,
            account: outbox.account,
            kind: kind,
            entity: entity(change, id) ?? OutboxDraft.entity(of: kind.name, record),
            // U4: The server could carry it out without the change that makes it possible.
            dependsOn: options.dependencies.union(options.premise.map { [$0] } ?? []),
            follows: options.predecessor,
            label: options.label ?? label(change, id),
            record: record,
            change: try JSONEncoder.outbox.encode(change),
            base: try (options.base?.value as? any Encodable).map { try JSONEncoder.outbox.encode($0) },
            entityTag: options.base?.entityTag,
            request: try outbox.controller.freeze(endpoint)
        )
    }

    /// A failed change leaves the file when it is sent again, edited or discarded, and a store may
    /// have had no time to see it.
    func fetch(besides failed: [IdempotencyKey]) async -> ([UnfinishedChange<ID, Value>], [IdempotencyKey]) {
        let (account, kind, shared) = (outbox.account, kind.name, outbox.outbox)
        let survives = !shared.file.isInMemory
        let found = try? await shared.file.read { transaction in
            let rows = try transaction.unfinished(of: kind, account: account).compactMap { row in
                IdempotencyKey(row.id).map { key -> (OutboxRow, OutboxTicket) in
                    let known = { OutboxTicket(key, survives: survives, row.progress) }
                    return (row, row.refusal(survives: survives) ?? shared.ticket(for: row.id, orAdd: known))
                }
            }
            let decided = try transaction.missing(among: failed.map { "\($0)" })
            return (rows: rows, decided: decided.compactMap { IdempotencyKey($0) })
        }
        let dismissed = dismissed.withLock { $0 }
        let changes = (found?.rows ?? []).filter { !dismissed.contains($0.1.id) }.map { row, ticket in
            UnfinishedChange(ticket, isRefused: row.progress.status == .failed) { self.decoded(row, ticket) }
        }
        return (changes, found?.decided ?? [])
    }

    private func decoded(_ row: OutboxRow, _ ticket: OutboxTicket) -> (ID, Mutation<Value>)? {
        guard let record = row.record, let written = row.change,
            let id = try? JSONDecoder().decode(ID.self, from: record),
            let change = try? JSONDecoder().decode(Change.self, from: written)
        else {
            if unreadable.withLock({ $0.insert(ticket.id).inserted }), let operation = row.operation {
                outbox.onEvent(.cannotShow(operation))
            }
            return nil
        }
        let needed = (row.dependsOn ?? "").split(separator: " ").map(OutboxDraft.dependency).filter(\.isNeeded)
        let keys = Set(needed.compactMap { IdempotencyKey($0.id) })
        let options = MutationOptions<Value>(label: row.label, dependencies: keys)
        return (id, mutation(change, ticket.id, options, ticket, endpoint(change, id)))
    }

    private func mutation(
        _ change: Change,
        _ key: IdempotencyKey,
        _ options: MutationOptions<Value>,
        _ ticket: OutboxTicket,
        _ endpoint: AuthenticatedIdempotentEndpoint<Response>
    ) -> Mutation<Value> {
        // The closure has no capture list: see `Mutation.init`.
        let (controller, place) = (outbox.controller, place)
        return Mutation(change, id: key, options, delivery: ticket) { _ in
            // The server has carried it out, also if the response cannot be read.
            guard let reply = try await ticket.reply(),
                let response = try? controller.decode(reply, from: endpoint)
            else { return .done }
            return place(response)
        }
    }
}
