/// A list of a store's records, whatever its cursors are.
///
/// The store tells its lists of changes, and not each record its own: lists are few, and records many.
protocol RecordList<ID>: AnyObject {
    associatedtype ID: Hashable

    /// Whether the record is on the list.
    func contains(_ id: ID) -> Bool

    /// Whether the record is on the list, or will be when all pages of a load have come.
    func needs(_ id: ID) -> Bool

    /// A11: a record has another ID from now on.
    func rename(_ old: ID, to new: ID)

    /// A record of the store has changed.
    func recordHasChanged(_ id: ID)

    /// A9: a record of the list is to be loaded again, by a load that begins after the settlement with that number.
    func expectReload(after settlement: Int)

    /// Loads the list again if it is not fresh.
    func refresh()

    /// Another session begins.
    func beginEpoch()
}

/// What may be held of a list that must not be kept alive.
struct WeakList<ID: Hashable> {
    private(set) weak var list: (any RecordList<ID>)?

    init(_ list: any RecordList<ID>) {
        self.list = list
    }
}

/// What may be held of an object that must not be kept alive.
struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
