/// A change that shows at once, and how the server is told of it.
///
/// ```swift
/// let tick = Mutation<Todo>(label: "tick") { todo in
///     todo.isDone = true
/// } send: { key in
///     try await api.tick(id, key: key)
/// }
/// try await todo.mutate(tick)
/// ```
///
/// What it does to the value is an *intent*, a pure function: it is applied again whenever a load, a reply or a rejection
/// changes what lies beneath it, so it must say what the person meant (add 1, append this message) and read nothing else.
/// One that finds nothing to act on throws; it then is not visible, and fails with `targetMissing` when its turn comes.
///
/// `send` gets the mutation's key, the same at every attempt: pass it on as the `Idempotency-Key` header, so that the server
/// carries out once what reaches it twice. It runs on the loader's actor. An error that says that the server has refused
/// ends the mutation; after any other the server may have done it, and it is sent again. Which error is which, ``RecordStore``
/// knows.
public struct Mutation<Value> {
    /// The name of this mutation, for the server as well: its idempotency key.
    public let id: IdempotencyKey
    /// What it is called in ``Loader/pending``.
    public let label: String?
    /// What it sets whatever that was, if it is of that kind.
    let target: AnyHashable?
    let dependencies: Set<IdempotencyKey>
    let intent: Intent<Value>
    let send: (IdempotencyKey) async throws -> Reply

    /// What the server has to say of a mutation that it has carried out.
    package enum Reply {
        case done
        /// The value of the record after it.
        case value(Value)
        /// What it has made of a part of the value; throws if that part is not there.
        case part((inout Value) throws -> Void)
    }

    package init(
        _ intent: Intent<Value>,
        id: IdempotencyKey = IdempotencyKey(),
        target: AnyHashable? = nil,
        label: String? = nil,
        dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Reply
    ) {
        self.id = id
        self.label = label
        self.target = target
        self.dependencies = dependencies
        self.intent = intent
        self.send = send
    }
}
