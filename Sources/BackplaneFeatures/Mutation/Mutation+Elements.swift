/// Mutations of a list whose elements have IDs.
///
/// ```swift
/// try todos.enqueue(
///     .update(todo) { $0.isDone = true } send: { key in try await api.finish(todo, key: key) }
/// )
/// let unsaved = todos.pending(of: todo)
/// ```
extension Mutation
where Value: RangeReplaceableCollection & MutableCollection, Value.Element: Identifiable, Value.Element.ID: Sendable {
    /// Creates a mutation that edits one element.
    ///
    /// If the list has no such element, the mutation fails with `targetMissing`.
    ///
    /// - Parameters:
    ///   - id: the ID of the element.
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs.
    ///   - change: the intent: edits the element, or throws if it cannot edit this element.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - confirming: returns the element from the result of `send`, or `nil` if the result does
    ///     not contain it. With an element, no reload follows.
    /// - Returns: the mutation.
    public static func update<Response>(
        _ id: Value.Element.ID,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        _ change: @escaping (inout Value.Element) throws -> Void,
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value.Element? = { _ in nil }
    ) -> Self {
        Self(
            .edit { list in try change(&list[try list.position(of: id)]) },
            element: ElementID(id),
            label: label,
            dependencies: dependencies,
            send: response(send, placing: confirming)
        )
    }

    /// Creates a mutation that sets a property of one element, whatever its value was before.
    ///
    /// If the next mutation sets the same property of the same element while this one is queued, it
    /// replaces this one, as ``set(_:to:label:after:send:confirming:)`` does.
    ///
    /// - Parameters:
    ///   - property: the property to set.
    ///   - new: the new value of the property.
    ///   - id: the ID of the element.
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - confirming: returns the element from the result of `send`, or `nil` if the result does
    ///     not contain it. With an element, no reload follows.
    /// - Returns: the mutation.
    public static func set<Property, Response>(
        _ property: WritableKeyPath<Value.Element, Property>,
        to new: Property,
        of id: Value.Element.ID,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Value.Element? = { _ in nil }
    ) -> Self {
        Self(
            .edit { list in list[try list.position(of: id)][keyPath: property] = new },
            target: [AnyHashable(id), AnyHashable(property)],
            element: ElementID(id),
            label: label,
            dependencies: dependencies,
            send: response(send, placing: confirming)
        )
    }

    /// Creates a mutation that adds an element at the end of the list.
    ///
    /// A list that has an element of this ID stays as it is: the server may have added the element,
    /// and its response may be lost.
    ///
    /// - Parameters:
    ///   - element: the element, with an ID that the device has made.
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    /// - Returns: the mutation.
    public static func append<Response>(
        _ element: Value.Element,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response
    ) -> Self {
        Self(
            .append(element),
            element: ElementID(element.id),
            label: label,
            dependencies: dependencies,
            send: response(send, { _ in nil })
        )
    }

    /// Creates a mutation that removes an element from the list.
    ///
    /// If the list has no such element, the mutation fails with `targetMissing`.
    ///
    /// - Parameters:
    ///   - id: the ID of the element.
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    /// - Returns: the mutation.
    public static func remove<Response>(
        _ id: Value.Element.ID,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response
    ) -> Self {
        Self(
            .edit { list in list.remove(at: try list.position(of: id)) },
            element: ElementID(id),
            label: label,
            dependencies: dependencies,
            send: response(send, { _ in nil })
        )
    }

    private static func response<R>(
        _ send: @escaping (IdempotencyKey) async throws -> R,
        placing element: @escaping (R) -> Value.Element?
    ) -> (IdempotencyKey) async throws -> Response {
        // Named, not in a capture list: see `response(_:_:)`.
        { key in
            guard let element = element(try await send(key)) else { return .done }
            return .part { list in list[try list.position(of: element.id)] = element }
        }
    }
}

extension Intent
where Value: RangeReplaceableCollection & MutableCollection, Value.Element: Identifiable {
    /// Returns the intent that edits one element of a list.
    ///
    /// If the list has no such element, the mutation fails with `targetMissing`.
    ///
    /// ```swift
    /// var intent: Intent<[Todo]> { .update(todo) { $0.isDone = true } }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the ID of the element.
    ///   - change: edits the element, or throws if it cannot edit this element.
    /// - Returns: the intent.
    public static func update(
        _ id: Value.Element.ID,
        _ change: @escaping (inout Value.Element) throws -> Void
    ) -> Self {
        .edit { list in try change(&list[try list.position(of: id)]) }
    }

    /// Returns the intent that adds an element at the end of a list that has none of its ID.
    ///
    /// - Parameter element: the element, with an ID that the device has made.
    /// - Returns: the intent.
    public static func append(_ element: Value.Element) -> Self {
        .edit { list in
            // A20: A list that is loaded before the outcome is known may contain it.
            if !list.contains(where: { $0.id == element.id }) { list.append(element) }
        }
    }
}

extension Collection where Element: Identifiable {
    fileprivate func position(of id: Element.ID) throws -> Index {
        guard let position = firstIndex(where: { $0.id == id }) else { throw MissingTarget() }
        return position
    }
}

extension Loader where Value: Collection, Value.Element: Identifiable {
    /// The mutations of one element of the list: failed ones that were not dismissed, then
    /// unsettled ones in order; observable.
    ///
    /// These are the mutations that were made with the ID of the element, such as
    /// ``Mutation/update(_:label:after:_:send:confirming:)``.
    public func pending(of id: Value.Element.ID) -> [PendingMutation] {
        pending.filter { $0.element?.matches(id) == true }
    }
}

/// Mutations of a set.
extension Mutation where Value: SetAlgebra, Value.Element: Hashable & Sendable {
    /// Creates a mutation that adds an element to a set, or removes it.
    ///
    /// ```swift
    /// try favorites.enqueue(
    ///     .setMembership(of: book, to: true) { key in try await api.addFavorite(book) }
    /// )
    /// ```
    ///
    /// If the next mutation is about the same element while this one is queued, it replaces this
    /// one.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - isMember: whether the set contains the element afterward.
    ///   - label: the name of the mutation in ``Loader/pending``.
    ///   - dependencies: mutations of the same record that this one needs.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    /// - Returns: the mutation.
    public static func setMembership<Response>(
        of element: Value.Element,
        to isMember: Bool,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = [],
        send: @escaping (IdempotencyKey) async throws -> Response
    ) -> Self {
        Self(
            .edit { set in if isMember { set.insert(element) } else { set.remove(element) } },
            target: AnyHashable(element),
            element: ElementID(element),
            label: label,
            dependencies: dependencies,
            send: response(send, { _ in nil })
        )
    }
}

extension Loader where Value: SetAlgebra, Value.Element: Hashable {
    /// The mutations of one element of the set, as
    /// ``Mutation/setMembership(of:to:label:after:send:)`` makes them; observable.
    ///
    /// Failed ones that were not dismissed come first, then unsettled ones in order.
    public func pending(of element: Value.Element) -> [PendingMutation] {
        pending.filter { $0.element?.matches(element) == true }
    }
}
