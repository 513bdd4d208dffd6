/// A list of records of a store, without the type of its cursors.
///
/// The store notifies its lists of changes. Records do not know their lists, because there are few
/// lists and many records.
protocol RecordList<ID>: AnyObject {
    associatedtype ID: Hashable

    /// Returns whether the record is on the list.
    func contains(_ id: ID) -> Bool

    /// Returns whether the record is on the list, or will be when all pages of a load have arrived.
    func needs(_ id: ID) -> Bool

    /// A11: Replaces an ID after the record has received another one.
    func rename(_ old: ID, to new: ID)

    /// Shows a record that an earlier process has created and not sent yet, or whose refused
    /// creation is sent again.
    ///
    /// D32: It comes before the creations that were made later.
    func restoreInsertion(of id: ID, by mutation: IdempotencyKey, before isLater: (IdempotencyKey) -> Bool)

    /// Notes that a record of the store has changed.
    func recordHasChanged(_ id: ID)

    /// A9: Loads a record of the list again, with a load that begins after the settlement of that
    /// number.
    ///
    /// If the record is hidden until then, no change of another one delays the load (A21).
    func expectReload(after settlement: Int, isHidden: Bool)

    /// Loads the list again if it is not fresh.
    func refresh()

    /// Starts a new session.
    func beginEpoch()
}

/// A weak reference to a list.
struct WeakList<ID: Hashable> {
    private(set) weak var list: (any RecordList<ID>)?

    init(_ list: any RecordList<ID>) {
        self.list = list
    }
}

/// A weak reference to an object.
struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
