/// The effect of a mutation on a record: a pure function, applied again after each change of the
/// server state.
///
/// ```swift
/// try todos.enqueue(Mutation(.append(todo)) { key in try await api.add(todo, key: key) })
/// ```
///
/// If the record or the element does not exist, the intent throws. Its mutation is then not sent,
/// and fails with `targetMissing` when its turn comes.
public struct Intent<Value> {
    enum Effect {
        case edit((inout Value) throws -> Void)
        case replace(Value)
        case delete
    }

    let effect: Effect
    /// The property that it sets, or `nil` if it is no assignment.
    private(set) var target: AnyHashable?
    /// The element that it changes, if the value is a collection.
    private(set) var element: (any Hashable & Sendable)?

    /// Changes the existing value, or throws if it cannot change that value.
    ///
    /// - Parameter change: changes the value. It must be a pure function, because it is called
    ///   often.
    /// - Returns: the intent.
    public static func edit(_ change: @escaping (inout Value) throws -> Void) -> Self { Self(effect: .edit(change)) }

    /// Sets the record to this value, also if the record does not exist yet.
    public static func replace(_ value: Value) -> Self { Self(effect: .replace(value)) }

    /// Deletes the record; until the mutation is settled, no load brings the record back.
    public static var delete: Self { Self(effect: .delete) }

    /// Sets a property to a value, and ignores its value before.
    ///
    /// If the next mutation sets the same property while this one is queued, it replaces this one.
    /// For example, if a switch changes ten times quickly, only the first and the last change are
    /// sent. Replaced mutations share the outcome of their replacement. A ``RecordChange`` is never
    /// replaced.
    public static func set<Property>(_ property: WritableKeyPath<Value, Property>, to new: Property) -> Self {
        edit { $0[keyPath: property] = new }.assigning(property)
    }

    /// Returns the intent as an assignment, which a later one of the same target replaces.
    package func assigning(_ target: AnyHashable?) -> Self {
        var intent = self
        intent.target = target
        return intent
    }

    /// Changes `content`, or throws and leaves it unchanged.
    package func apply(to content: inout RecordContent<Value>) throws {
        switch effect {
        case .replace(let value): content = .present(value)
        case .delete: content = .absent
        case .edit(let change):
            switch content {
            case .notLoaded: break
            case .absent: throw MissingTarget()
            case .present(var value):
                // On a copy, because an edit may throw after it has changed a part.
                try change(&value)
                content = .present(value)
            }
        }
    }
}

/// Intents of a list whose elements have IDs.
extension Intent
where Value: RangeReplaceableCollection & MutableCollection, Value.Element: Identifiable, Value.Element.ID: Sendable {
    /// Edits one element of a list; throws if the list has no such element.
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
        Self(effect: .edit { list in try change(&list[try list.position(of: id)]) }, element: id)
    }

    /// Sets a property of one element, as ``set(_:to:)`` does with one of the value.
    public static func set<Property>(
        _ property: WritableKeyPath<Value.Element, Property>,
        to new: Property,
        of id: Value.Element.ID
    ) -> Self {
        update(id) { $0[keyPath: property] = new }.assigning([AnyHashable(id), AnyHashable(property)])
    }

    /// Adds an element at the end of the list.
    ///
    /// A list that has an element of this ID stays as it is: the server may have added the element,
    /// and its response may be lost.
    ///
    /// - Parameter element: the element, with an ID that the device has made.
    /// - Returns: the intent.
    public static func append(_ element: Value.Element) -> Self {
        let change = { (list: inout Value) in
            // A20: A list that is loaded before the outcome is known may contain it.
            if !list.contains(where: { $0.id == element.id }) { list.append(element) }
        }
        return Self(effect: .edit(change), element: element.id)
    }

    /// Removes an element of a list; throws if the list has no such element.
    public static func remove(_ id: Value.Element.ID) -> Self {
        Self(effect: .edit { list in list.remove(at: try list.position(of: id)) }, element: id)
    }
}

/// Intents of a set.
extension Intent where Value: SetAlgebra, Value.Element: Hashable & Sendable {
    /// Changes the existing set as ``edit(_:)`` does, for one element.
    ///
    /// `pending(of:)` of the loader then returns the mutation for this element.
    public static func edit(
        of element: Value.Element,
        _ change: @escaping (inout Value) throws -> Void
    ) -> Self {
        Self(effect: .edit(change), element: element)
    }
}

extension Collection where Element: Identifiable {
    fileprivate func position(of id: Element.ID) throws -> Index {
        guard let position = firstIndex(where: { $0.id == id }) else { throw MissingTarget() }
        return position
    }
}

/// The error of an edit whose record or element does not exist.
struct MissingTarget: Error {
    /// The name of the failed mutation without which the edit does not apply, if it is known.
    var needed: String?
}
