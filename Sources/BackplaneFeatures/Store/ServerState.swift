/// The last value of a record that the server has confirmed; pending mutations are applied on top
/// of it.
///
/// A ``RecordStateMachine`` changes it when a load lands or a mutation is settled. The visible
/// value of the record is this state with the ``MutationLog`` applied.
struct ServerState<Value> {
    /// The decision about a load that has arrived.
    enum Verdict {
        case write
        /// The server state is newer than the loaded value, or the record was deleted and must not
        /// be loaded.
        case drop
        /// It is unknown whether the loaded value contains the last mutations, so the record must
        /// be loaded again.
        case reload
    }

    private(set) var content = RecordContent<Value>.notLoaded
    /// The newest revision that the server state contains.
    private var revision: Int?
    /// Whether the server state is exactly that revision, without a mutation that was applied on
    /// this device.
    private var isExact = false
    /// Whether the content came from the server as it is.
    private(set) var isVerbatim = false

    /// A7: Decides about a load; `isRecent` says that it began after the last settlement and that
    /// no send has started since.
    func judge(revision loaded: Int?, isRecent: Bool) -> Verdict {
        if let loaded, let revision {
            if loaded < revision { return .drop }
            if isExact { return .write }
        }
        if isRecent { return .write }
        // A deleted record must not be loaded again.
        if case .absent = content { return .drop }
        return .reload
    }

    mutating func write(_ content: RecordContent<Value>, revision: Int?) {
        self.content = content
        self.revision = revision ?? self.revision
        isExact = revision != nil
        isVerbatim = true
    }

    /// Takes a value that is known before the first load.
    mutating func write(initial value: Value, revision: Int?) {
        content = .present(value)
        self.revision = revision
    }

    /// A6: Takes the value of a response, unless the server state is newer and so contains the
    /// mutation already.
    mutating func write(response value: Value, revision replied: Int?) {
        if let replied, let revision, replied < revision { return }
        write(.present(value), revision: replied)
    }

    /// A11: Takes the value in the response to the mutation that created the record, unless a value
    /// is already known.
    ///
    /// A value that is already known is newer, because nothing could be known before the server
    /// created the record.
    mutating func write(made value: Value, revision: Int?) {
        if case .notLoaded = content { write(.present(value), revision: revision) }
    }

    /// A6: Takes the value after a part of it was replaced by the part in a response.
    mutating func write(part value: Value) {
        write(meant: .present(value))
    }

    /// A6: Takes the result of an intent, after the server confirmed the mutation without sending a
    /// value.
    mutating func write(meant content: RecordContent<Value>) {
        self.content = content
        isExact = false
        isVerbatim = false
    }
}

/// The known content of a record.
package enum RecordContent<Value> {
    /// Nothing is loaded yet.
    case notLoaded
    /// The record does not exist: it has been deleted.
    case absent
    /// The record exists and has this value; indirect, so that a record is small even if its value
    /// is large.
    indirect case present(Value)

    /// The value, or `nil` if the record is not loaded or does not exist.
    package var value: Value? {
        if case .present(let value) = self { value } else { nil }
    }
}
