package import BackplaneConcurrency

/// A change of a record as a value, which can be written to a file.
///
/// A feature describes its changes as values. It does not know how they are sent: the
/// ``ChangeSender`` of its store does this. So the app decides in one place whether changes exist
/// only in memory or survive the end of the process: see `OutboxKind` of `BackplaneStorage`.
///
/// ```swift
/// struct FinishTodo: RecordChange {
///     let todo: Todo.ID
///
///     var intent: Intent<[Todo]> { .update(todo) { $0.isDone = true } }
/// }
/// try todos.enqueue(FinishTodo(todo: id))
/// ```
///
/// If a store has changes of several kinds, make them cases of one enumeration.
///
/// **Later versions.** A change that was written to a file is decoded by a later version of the
/// app. If its form changes, raise the version of its kind.
public protocol RecordChange<Value>: Codable, Sendable {
    /// The type of the changed records.
    associatedtype Value

    /// The effect on the record: a pure function of the record and this change.
    ///
    /// It is applied again after each change of the server state: see ``Mutation``.
    var intent: Intent<Value> { get }
}

extension Mutation {
    /// Creates the mutation that a change becomes.
    package init(
        _ change: some RecordChange<Value>,
        id: IdempotencyKey = IdempotencyKey(),
        _ options: MutationOptions<Value>,
        delivery: (any MutationDelivery)? = nil,
        send: @escaping (IdempotencyKey) async throws -> Response
    ) {
        self.init(
            change.intent.assigning(nil),
            id: id,
            label: options.label,
            dependencies: options.dependencies,
            premise: options.premise,
            delivery: delivery,
            send: send
        )
    }
}

/// The part of a store that sends its changes to the server.
///
/// It is made where the app is assembled, and given to the store. The features that use the store
/// do not know it. A sender of `BackplaneStorage` writes each change to a file first.
///
/// ```swift
/// let todos = RecordStore<Course.ID, [Todo]>(
///     sending: ChangeSender { (change: FinishTodo, course, key) in
///         try await api.finish(change.todo, of: course, key: key)
///     }
/// )
/// ```
///
/// **Isolation.** Its closures run on the actor of the store.
public struct ChangeSender<ID: Hashable, Value> {
    /// Returns the mutation for a change, or `nil` if the change is of another type.
    let mutation: (any RecordChange, ID, MutationOptions<Value>) -> Mutation<Value>?
    /// The unfinished changes of earlier processes and of other stores.
    let unfinished: (any UnfinishedChanges<ID, Value>)?

    package init(
        unfinished: (any UnfinishedChanges<ID, Value>)? = nil,
        mutation: @escaping (any RecordChange, ID, MutationOptions<Value>) -> Mutation<Value>?
    ) {
        self.unfinished = unfinished
        self.mutation = mutation
    }

    /// Creates a sender for changes that exist only in memory.
    ///
    /// - Parameters:
    ///   - send: sends a change of the record with this ID; called again with the same key until
    ///     the outcome is known.
    ///   - confirming: returns the value of the record from the result of `send`, or `nil` if the
    ///     result does not contain it. Without a value, the intent is applied to the server state,
    ///     and a reload follows.
    ///   - merging: puts a part of the record from the response into the server state. Then the
    ///     intent and `confirming` are not used, and no reload follows. If it throws, the intent is
    ///     applied, and a reload follows.
    public init<Change: RecordChange, Response>(
        _ send: @escaping (Change, ID, IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value? = { _ in nil },
        merging: ((Response, inout Value) throws -> Void)? = nil
    ) where Change.Value == Value {
        // No capture lists: see `Mutation.init(_:label:after:send:confirming:merging:)`.
        self.init { change, id, options in
            guard let change = change as? Change else { return nil }
            return Mutation(change, options) { key in
                .made(of: try await send(change, id, key), confirming, merging)
            }
        }
    }
}

extension ChangeSender {
    /// Returns a sender that also calls a closure after the server has confirmed a change.
    ///
    /// Use it for effects outside the store, such as a count on another screen:
    ///
    /// ```swift
    /// let todos = RecordStore<Course.ID, [Todo]>(
    ///     sending: sender.onConfirmation { course in board.recount(course) }
    /// )
    /// ```
    ///
    /// The closure is called once for each confirmed change that was made in the store. It is not
    /// called for changes of earlier processes, for changes of other stores with the same outbox,
    /// and for changes that were sent again after a refusal. The store shows these changes, too.
    ///
    /// - Parameter action: receives the ID of the record; called on the actor of the store, before
    ///   the store shows the response.
    /// - Returns: the sender.
    public func onConfirmation(_ action: @escaping (ID) async -> Void) -> Self {
        // No capture list: see `Mutation.init(_:label:after:send:confirming:merging:)`.
        ChangeSender(unfinished: unfinished) { change, id, options in
            self.mutation(change, id, options)?.followed { await action(id) }
        }
    }
}

/// The options of a mutation that a change becomes.
package struct MutationOptions<Value> {
    package var label: String?
    package var dependencies: Set<IdempotencyKey> = []
    /// The mutation that must be settled before this one is sent, whatever its outcome (A18).
    package var predecessor: IdempotencyKey?
    /// The pending mutation without which the intent of the change does not apply.
    package var premise: IdempotencyKey?
    /// The server state that the change is made for, if its version is known, and that version.
    package var base: (value: Value, entityTag: String)?

    package init(label: String? = nil, dependencies: Set<IdempotencyKey> = []) {
        self.label = label
        self.dependencies = dependencies
    }
}

/// The access of a store to the changes that an outbox has not finished.
///
/// A store calls it on its own actor.
package protocol UnfinishedChanges<ID, Value> {
    associatedtype ID: Hashable
    associatedtype Value

    /// Returns the changes in order that the outbox keeps, and which of these failed changes it
    /// keeps no longer.
    func fetch(besides failed: [IdempotencyKey]) async -> ([UnfinishedChange<ID, Value>], [IdempotencyKey])

    /// Has the observer of a store called, as long as it exists, when changes may have been added
    /// or decided by others.
    func observe(_ observer: OwnerCall, of store: StorePresence)

    /// Sends the changes at once that wait for a network or a sign-in.
    func resume()

    /// Forgets a failed change, after the user has seen the reason at a store.
    func dismiss(_ id: IdempotencyKey, in store: StorePresence)
}

/// A change that an outbox has not finished, or keeps as refused.
package struct UnfinishedChange<ID: Hashable, Value> {
    /// The delivery of the change.
    let delivery: any MutationDelivery
    /// Whether the server has refused it, and the user has not decided about it.
    let isRefused: Bool
    /// Returns the record and the mutation, or `nil` if the change cannot be decoded.
    ///
    /// A closure, because a store has most of the changes already.
    let decode: () -> (ID, Mutation<Value>)?

    package init(
        _ delivery: any MutationDelivery,
        isRefused: Bool = false,
        decode: @escaping () -> (ID, Mutation<Value>)?
    ) {
        self.delivery = delivery
        self.isRefused = isRefused
        self.decode = decode
    }
}
