extension WrittenPayload {
    /// Returns whether this is a written form of `value`.
    ///
    /// Values are compared, because one value has several written forms: a `Set` writes its
    /// elements in another order in each process, and so does a `Dictionary` with keys that are not
    /// strings.
    func isForm(of value: Any) -> Bool {
        if self == WrittenPayload(value) { return true }
        guard case .json(let json) = self, let value = value as? any Encodable & Decodable else { return false }
        return json.isForm(of: value)
    }
}

extension JSON {
    fileprivate func isForm<Value: Decodable>(of value: Value) -> Bool {
        guard let written = try? decoded(as: Value.self) else { return false }
        return areEqual(written, value) ?? haveEqualParts(written, value)
    }
}

/// Returns whether two values have equal stored properties, elements or associated values.
///
/// For values whose type is not `Equatable`. Each part that is `Equatable` is compared by that, so
/// a `Set` is compared without an order. Values that hide their parts, or are nested too deeply or
/// in a cycle, do not count as equal.
private func haveEqualParts(_ one: Any, _ other: Any, depth: Int = 0) -> Bool {
    guard depth < 100, type(of: one) == type(of: other) else { return false }
    if let equal = compare(one, other) { return equal }
    let (mirror, otherMirror) = (Mirror(reflecting: one), Mirror(reflecting: other))
    if one is any CustomReflectable, !(one is any AnyOptional) {
        if one is [AnyHashable: Any] { return haveEqualValues(mirror, otherMirror, depth: depth) }
        // A mirror of an app may show less than all parts, such as one that redacts them.
        if !(one is [Any]) { return false }
    }
    if mirror.children.isEmpty, otherMirror.children.isEmpty {
        // Nothing is known of an object without parts, nor of a case that describes itself.
        return switch mirror.displayStyle {
        case .enum: !(one is any CustomStringConvertible) && "\(one)" == "\(other)"
        case .class, nil: false
        default: true
        }
    }
    return haveEqualChildren(mirror, otherMirror, depth: depth)
}

private func haveEqualChildren(_ mirror: Mirror, _ other: Mirror, depth: Int) -> Bool {
    guard mirror.children.count == other.children.count,
        zip(mirror.children, other.children).allSatisfy({ one, other in
            one.label == other.label && haveEqualParts(one.value, other.value, depth: depth + 1)
        })
    else { return false }
    guard let superclass = mirror.superclassMirror, let otherSuperclass = other.superclassMirror else { return true }
    return haveEqualChildren(superclass, otherSuperclass, depth: depth + 1)
}

/// Returns whether two dictionaries whose values are not `Equatable` have equal values for each
/// key.
private func haveEqualValues(_ mirror: Mirror, _ other: Mirror, depth: Int) -> Bool {
    func pairs(_ mirror: Mirror) -> [AnyHashable: Any] {
        let pairs = mirror.children.map { Array(Mirror(reflecting: $0.value).children.map(\.value)) }
        let known = pairs.compactMap { pair in pair.count == 2 ? (pair[0] as? AnyHashable).map { ($0, pair[1]) } : nil }
        return Dictionary(known) { $1 }
    }
    let (values, others) = (pairs(mirror), pairs(other))
    return values.count == others.count
        && values.allSatisfy { key, value in others[key].map { haveEqualParts(value, $0, depth: depth + 1) } ?? false }
}

/// Returns whether two values of one type are equal, or `nil` if the type is not `Equatable`.
private func compare(_ one: Any, _ other: Any) -> Bool? {
    func areEqual<Value: Equatable>(_ one: Value) -> Bool { one == other as? Value }
    return (one as? any Equatable).map { areEqual($0) }
}

private protocol AnyOptional {}

extension Optional: AnyOptional {}
