/// Returns whether two values are equal; nil where their type cannot tell.
///
/// By type and not by value: of a missing optional value nothing could be compared.
func areEqual<Value>(_ one: Value, _ other: Value) -> Bool? {
    if Value.self == Void.self { return true }
    func compare<Comparable: Equatable>(as type: Comparable.Type) -> Bool { one as? Comparable == other as? Comparable }
    return (Value.self as? any Equatable.Type).map { compare(as: $0) }
}
