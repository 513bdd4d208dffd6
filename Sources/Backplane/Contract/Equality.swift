/// Returns whether two values are equal; `nil` if their type is not `Equatable`.
///
/// Compares by type and not by value, because a missing optional value has nothing to compare.
func areEqual<Value>(_ one: Value, _ other: Value) -> Bool? {
    if Value.self == Void.self { return true }
    func compare<Comparable: Equatable>(as type: Comparable.Type) -> Bool { one as? Comparable == other as? Comparable }
    return (Value.self as? any Equatable.Type).map { compare(as: $0) }
}
