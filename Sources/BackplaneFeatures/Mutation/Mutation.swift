/// A change that is visible at once, and the request that tells the server about it.
///
/// ```swift
/// let tick = Mutation<Todo>(.set(\.isDone, to: true), label: "tick") { key in
///     try await api.tick(id, key: key)
/// }
/// try await todo.mutate(tick)
/// ```
///
/// **The intent.** The ``Intent`` is a pure function that changes the value. It is applied again
/// whenever a load, a response or a rejection changes the server state. So it must describe the
/// user's intention, such as "add 1" or "append this message". It must read only its argument. If
/// it finds nothing to change, it throws. The mutation is then not visible, and fails with
/// `targetMissing` when its turn to be sent comes.
///
/// **The send.** `send` receives the mutation's key, which is the same at every attempt. Pass it on
/// as the `Idempotency-Key` header, so that the server carries out a repeated request only once.
/// `send` runs on the loader's actor.
///
/// **Errors of the send.** If the error says that the server refused, the mutation ends. After any
/// other error the server may have carried it out, so it is resent. The ``RecordStore`` decides
/// which errors are rejections.
public struct Mutation<Value> {
    /// The ID of this mutation, which is also its idempotency key on the server.
    public let id: IdempotencyKey
    /// The name of the mutation in ``Loader/pending``.
    public let label: String?
    let dependencies: Set<IdempotencyKey>
    /// The pending mutation without which the intent did not apply when this one was made.
    let premise: IdempotencyKey?
    let intent: Intent<Value>
    private(set) var send: (IdempotencyKey) async throws -> Response
    /// The part of an outbox that delivers the mutation, or `nil` if it exists only in memory.
    let delivery: (any MutationDelivery)?

    /// The result of a mutation that the server has carried out.
    package enum Response {
        case done
        /// The value of the record after the mutation.
        case value(Value)
        /// A function that puts a part of the value from the server in place; throws if the part
        /// has no place.
        case part((inout Value) throws -> Void)

        /// The result with the value of the record, if it is known.
        package static func known(_ value: Value?) -> Self { value.map { .value($0) } ?? .done }

        /// The result of a response: the part that `merging` puts in place, or else the value that
        /// `confirming` finds in it.
        package static func made<Answer>(
            of response: Answer,
            _ confirming: (Answer) -> Value?,
            _ merging: ((Answer, inout Value) throws -> Void)?
        ) -> Self {
            if let merging { .part { value in try merging(response, &value) } } else { .known(confirming(response)) }
        }
    }

    package init(
        _ intent: Intent<Value>,
        id: IdempotencyKey = IdempotencyKey(),
        label: String? = nil,
        dependencies: Set<IdempotencyKey>,
        premise: IdempotencyKey? = nil,
        delivery: (any MutationDelivery)? = nil,
        send: @escaping (IdempotencyKey) async throws -> Response
    ) {
        self.id = id
        self.label = label
        self.dependencies = dependencies
        self.premise = premise
        self.intent = intent
        self.send = send
        self.delivery = delivery
    }

    /// The label in quotation marks, or the ID.
    var name: String { label.map { "'\($0)'" } ?? "\(id)" }

    /// Returns how the mutation fails after these mutations have failed, or `nil` if it does not
    /// need any of them.
    func outcome(afterFailuresOf names: [IdempotencyKey: String]) -> MutationOutcome? {
        if let needed = dependencies.lazy.compactMap({ names[$0] }).first { return .dependencyFailed(on: needed) }
        return premise.flatMap { names[$0] }.map { .targetMissing(MissingTarget(needed: $0)) }
    }

    /// Returns the mutation with an action after the server has confirmed it.
    func followed(by action: @escaping () async -> Void) -> Self {
        var mutation = self
        // No capture list: see `init(_:label:after:send:confirming:merging:)`.
        mutation.send = { key in
            let response = try await self.send(key)
            await action()
            return response
        }
        return mutation
    }
}

extension Mutation {
    /// Creates a mutation.
    ///
    /// - Parameters:
    ///   - intent: the effect on the value.
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs; if one of them fails,
    ///     this one fails too.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - confirming: returns the value of the record from the result of `send`, or `nil` if the
    ///     result does not contain it. Without a value, the intent is applied to the server state,
    ///     and a reload follows.
    ///   - merging: puts a part of the value from the response, such as one item of a list, into
    ///     the server state. Then the intent and `confirming` are not used, and no reload follows.
    ///     If it throws because the value has no place for the part, the intent is applied, and a
    ///     reload follows.
    public init<Response>(
        _ intent: Intent<Value>,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value? = { _ in nil },
        merging: ((Response, inout Value) throws -> Void)? = nil
    ) {
        // Named, not in a capture list: in Swift 6.3 a capture list makes a closure of nonisolated
        // code run outside the actor of its caller (swiftlang/swift#87097).
        self.init(intent, label: label, dependencies: dependencies) { key in
            .made(of: try await send(key), confirming, merging)
        }
    }
}
