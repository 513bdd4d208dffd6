internal import BackplaneConcurrency
internal import BackplaneFeatures

/// A store that belongs to an account; it keeps neither the store nor the store's actor alive.
final class OwnedStore: Sendable {
    private struct References: Sendable {
        weak var owner: (any Actor)?
        weak var presence: StorePresence?
    }

    private let references: References
    private let resetting: OwnerCall
    private let refreshing: OwnerCall

    /// Creates a reference to a store of `owner`; must be called on that actor.
    init<ID, Value>(_ store: RecordStore<ID, Value>, on owner: any Actor) {
        references = References(owner: owner, presence: store.presence)
        resetting = OwnerCall(on: owner) { [weak store] in store?.reset() }
        refreshing = OwnerCall(on: owner) { [weak store] in store?.refresh() }
    }

    /// Whether the store or its actor has been released.
    var isGone: Bool { references.owner == nil || references.presence == nil }

    /// Returns whether both refer to the same store.
    func isSame(as other: OwnedStore) -> Bool { references.presence === other.references.presence }

    /// Resets the store: at once on its actor, otherwise after one hop.
    func reset() { resetting() }

    /// Resets the store on its actor, and returns when it is reset.
    func resetAndWait() async {
        if let owner = references.owner { await Self.perform(resetting, isolation: owner) }
    }

    /// Resends the pending mutations of the store, and reloads the records that it shows.
    func refresh() { refreshing() }

    private static func perform(_ call: OwnerCall, isolation: isolated any Actor) {
        OwnerCall.callAll([call], isolation: isolation)
    }
}
