extension Mutation {
    /// A mutation that edits the value.
    ///
    /// - Parameters:
    ///   - label: what it is called in ``Loader/pending``.
    ///   - dependencies: mutations of the same record without which this one makes no sense; if one fails, so does this.
    ///   - change: the intent: edits the value, or throws if it is not one that it can edit. A pure function, called often.
    ///   - send: tells the server; called with the key again until the outcome is known.
    ///   - confirming: the record's value in what `send` returned, if it is there; without it the intent stands in for it
    ///     and a reload follows.
    public init<Reply>(
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        _ change: @escaping (inout Value) throws -> Void,
        send: @escaping (IdempotencyKey) async throws -> Reply,
        confirming: @escaping (Reply) -> Value? = { _ in nil }
    ) {
        self.init(.edit(change), label: label, dependencies: dependencies, send: Self.reply(send, confirming))
    }

    /// A mutation that edits the value, and whose answer has a part of the value in it: one item of a list, say.
    ///
    /// - Parameters:
    ///   - label: what it is called in ``Loader/pending``.
    ///   - dependencies: mutations of the same record without which this one makes no sense; if one fails, so does this.
    ///   - change: the intent: edits the value, or throws if it is not one that it can edit. A pure function, called often.
    ///   - send: tells the server; called with the key again until the outcome is known.
    ///   - merging: puts the part into the value as it is without what is pending, in place of the intent; no reload follows. If
    ///     it throws, because there is nothing that it is a part of, the intent stands in for it and a reload follows.
    public init<Reply>(
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        _ change: @escaping (inout Value) throws -> Void,
        send: @escaping (IdempotencyKey) async throws -> Reply,
        merging: @escaping (Reply, inout Value) throws -> Void
    ) {
        // Named, not in a capture list: see `reply(_:_:)`.
        self.init(.edit(change), label: label, dependencies: dependencies) { key in
            let reply = try await send(key)
            return .part { value in try merging(reply, &value) }
        }
    }

    /// A mutation that sets a property, whatever it was.
    ///
    /// While it is queued, the next one that sets the same property takes its place: of ten quick changes of a switch the
    /// first and the last are sent. They then share the outcome.
    public static func set<Property, Reply>(
        _ property: WritableKeyPath<Value, Property>,
        to new: Property,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Reply,
        confirming: @escaping (Reply) -> Value? = { _ in nil }
    ) -> Self {
        Self(
            .edit { $0[keyPath: property] = new },
            target: property,
            label: label,
            dependencies: dependencies,
            send: reply(send, confirming)
        )
    }

    /// A mutation that makes the record have this value, whatever it was; also one that is not there yet.
    public static func replace<Reply>(
        with value: Value,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Reply,
        confirming: @escaping (Reply) -> Value? = { _ in nil }
    ) -> Self {
        Self(.replace(value), label: label, dependencies: dependencies, send: reply(send, confirming))
    }

    /// A mutation that deletes the record; until it is settled, no load brings the record back.
    public static func delete<Reply>(
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Reply
    ) -> Self {
        Self(.delete, label: label, dependencies: dependencies, send: reply(send) { _ in nil })
    }

    private static func reply<R>(
        _ send: @escaping (IdempotencyKey) async throws -> R,
        _ confirming: @escaping (R) -> Value?
    ) -> (IdempotencyKey) async throws -> Reply {
        // Named, not in a capture list: with Swift 6.3 a list makes a closure of nonisolated code run off its caller's actor
        // (swiftlang/swift#87097).
        { key in
            let reply = try await send(key)
            return if let value = confirming(reply) { .value(value) } else { .done }
        }
    }
}
