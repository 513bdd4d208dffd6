/// The effect of a mutation on a record: a pure function, applied again after each change of the
/// server state.
public enum Intent<Value> {
    /// Changes the existing value, or throws if it cannot change that value.
    case edit((inout Value) throws -> Void)
    /// Sets the record to this value, whatever it was before.
    case replace(Value)
    /// Makes the record absent, whatever it was before.
    case delete

    /// Changes `content`, or throws and leaves it unchanged.
    package func apply(to content: inout RecordContent<Value>) throws {
        switch self {
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

/// The error of an edit whose record or element does not exist.
struct MissingTarget: Error {
    /// The name of the failed mutation without which the edit does not apply, if it is known.
    var needed: String?
}
