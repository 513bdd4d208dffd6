/// What is known of a record.
package enum RecordContent<Value> {
    /// Nothing has been loaded yet.
    case unknown
    /// It is not there: it has been deleted.
    case absent
    /// It is there, and this is its value; apart, so that a record is small however large its value.
    indirect case present(Value)

    /// The value, if the record is known to be there.
    package var value: Value? {
        if case .present(let value) = self { value } else { nil }
    }
}
