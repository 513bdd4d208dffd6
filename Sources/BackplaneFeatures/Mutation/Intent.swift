/// What a mutation does to a record: a pure function, applied again whenever what lies beneath it changes.
package enum Intent<Value> {
    /// Changes the value that is there; throws if that is not one it can change.
    case edit((inout Value) throws -> Void)
    /// Makes the record have this value, whatever it was.
    case replace(Value)
    /// Makes the record absent, whatever it was.
    case delete

    /// Why an edit does not apply: there is no value.
    package struct Absent: Error {}

    /// Changes `content`, or throws and leaves it as it was.
    package func apply(to content: inout RecordContent<Value>) throws {
        switch self {
        case .replace(let value): content = .present(value)
        case .delete: content = .absent
        case .edit(let change):
            switch content {
            case .notLoaded: break
            case .absent: throw Absent()
            case .present(var value):
                // On a copy: an edit may throw after it has changed something.
                try change(&value)
                content = .present(value)
            }
        }
    }
}
