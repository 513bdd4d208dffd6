extension Mutation {
    /// Creates a mutation that edits the value.
    ///
    /// - Parameters:
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs; if one of them fails,
    ///     this one fails too.
    ///   - change: the intent: edits the value, or throws if it cannot edit this value. It must be
    ///     a pure function, because it is called often.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - confirming: returns the value of the record from the result of `send`, or `nil` if the
    ///     result does not contain it. Without a value, the intent is applied to the server state,
    ///     and a reload follows.
    public init<Response>(
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        _ change: @escaping (inout Value) throws -> Void,
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value? = { _ in nil }
    ) {
        self.init(.edit(change), label: label, dependencies: dependencies, send: Self.response(send, confirming))
    }

    /// Creates a mutation that edits the value, and whose response contains a part of the value,
    /// such as one item of a list.
    ///
    /// - Parameters:
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs; if one of them fails,
    ///     this one fails too.
    ///   - change: the intent: edits the value, or throws if it cannot edit this value. It must be
    ///     a pure function, because it is called often.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - merging: puts the part from the response into the server state, in place of the intent;
    ///     no reload follows. If it throws, because the part has no place in the value, the intent
    ///     is applied instead, and a reload follows.
    public init<Response>(
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        _ change: @escaping (inout Value) throws -> Void,
        send: @escaping (IdempotencyKey) async throws -> Response,
        merging: @escaping (Response, inout Value) throws -> Void
    ) {
        // Named, not in a capture list: see `response(_:_:)`.
        self.init(.edit(change), label: label, dependencies: dependencies) { key in
            let response = try await send(key)
            return .part { value in try merging(response, &value) }
        }
    }

    /// Creates a mutation that sets a property, whatever its value was before.
    ///
    /// If the next mutation sets the same property while this one is queued, it replaces this one.
    /// Of ten quick changes of a switch, only the first and the last are sent. Replaced mutations
    /// share the outcome of their replacement.
    public static func set<Property, Response>(
        _ property: WritableKeyPath<Value, Property>,
        to new: Property,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value? = { _ in nil }
    ) -> Self {
        Self(
            .edit { $0[keyPath: property] = new },
            target: property,
            label: label,
            dependencies: dependencies,
            send: response(send, confirming)
        )
    }

    /// Creates a mutation that sets the whole value of a record, also of a record that does not
    /// exist yet.
    public static func replace<Response>(
        with value: Value,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value? = { _ in nil }
    ) -> Self {
        Self(.replace(value), label: label, dependencies: dependencies, send: response(send, confirming))
    }

    /// Creates a mutation that deletes the record; until it is settled, no load brings the record
    /// back.
    public static func delete<Response>(
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response
    ) -> Self {
        Self(.delete, label: label, dependencies: dependencies, send: response(send) { _ in nil })
    }

    static func response<R>(
        _ send: @escaping (IdempotencyKey) async throws -> R,
        _ confirming: @escaping (R) -> Value?
    ) -> (IdempotencyKey) async throws -> Response {
        // Named, not in a capture list: in Swift 6.3 a capture list makes a closure of nonisolated
        // code run outside the actor of its caller (swiftlang/swift#87097).
        { key in
            let response = try await send(key)
            return if let value = confirming(response) { .value(value) } else { .done }
        }
    }
}
