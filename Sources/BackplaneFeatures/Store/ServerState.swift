/// What the server is known to have: the base that pending mutations are folded onto.
struct ServerState<Value> {
    /// What to do with a load that has landed.
    enum Verdict {
        case write
        /// The base is newer than what was loaded, or there is nothing to load.
        case drop
        /// Whether what was loaded has the last mutations in it cannot be told.
        case reload
    }

    private(set) var content = RecordContent<Value>.notLoaded
    /// The newest revision that the base has in it.
    private var revision: Int?
    /// Whether the base is that revision, rather than one with a mutation applied here.
    private var isExact = false

    /// A7: judges a load; `isRecent` says that it began after the last settlement and no send has been opened since.
    func judge(revision loaded: Int?, isRecent: Bool) -> Verdict {
        if let loaded, let revision {
            if loaded < revision { return .drop }
            if isExact { return .write }
        }
        if isRecent { return .write }
        // What has been deleted is not there to be loaded again.
        if case .absent = content { return .drop }
        return .reload
    }

    mutating func write(_ content: RecordContent<Value>, revision: Int?) {
        self.content = content
        self.revision = revision ?? self.revision
        isExact = revision != nil
    }

    /// A6: takes the entity of a reply, unless the base is newer, and so has the mutation in it already.
    mutating func write(reply value: Value, revision replied: Int?) {
        if let replied, let revision, replied < revision { return }
        write(.present(value), revision: replied)
    }

    /// A11: takes the entity of the reply to the mutation that made it, unless something is known of it, which is then newer:
    /// there was nothing to know before it was made.
    mutating func write(made value: Value, revision: Int?) {
        if case .notLoaded = content { write(.present(value), revision: revision) }
    }

    /// A6: takes the entity with the part of it that was in a reply.
    mutating func write(part value: Value) {
        write(meant: .present(value))
    }

    /// A6: takes what a mutation has made of the base that was acknowledged without an entity.
    mutating func write(meant content: RecordContent<Value>) {
        self.content = content
        isExact = false
    }
}

/// What is known of a record.
package enum RecordContent<Value> {
    /// Nothing has been loaded yet.
    case notLoaded
    /// It is not there: it has been deleted.
    case absent
    /// It is there, and this is its value; apart, so that a record is small however large its value.
    indirect case present(Value)

    /// The value, if the record is known to be there.
    package var value: Value? {
        if case .present(let value) = self { value } else { nil }
    }
}
