package import BackplaneConcurrency

/// The delivery of one mutation by an outbox, which may continue in a later process.
///
/// A record gives an accepted mutation to its delivery, and is notified of the progress. It may
/// read the progress from any thread.
package protocol MutationDelivery: AnyObject, Sendable {
    /// The ID of the mutation.
    var id: IdempotencyKey { get }

    /// Whether the mutation survives the end of the process once it is saved.
    var survives: Bool { get }

    /// The progress so far.
    var progress: MutationProgress { get }

    /// Writes the mutation, unless it is written already, and starts to notify.
    ///
    /// - Parameters:
    ///   - observer: Called after each change of the progress.
    ///   - follower: The session of the store that shows the mutation.
    func begin(notifying observer: OwnerCall, for follower: StoreSession)

    /// Returns whether a store has shown the mutation in this session.
    func isKnown(to follower: StoreSession) -> Bool
}

/// A session of a store, which begins with `RecordStore.reset()`.
package final class StoreSession: Sendable {
    /// The store.
    package let store: StorePresence

    package init(of store: StorePresence = StorePresence()) {
        self.store = store
    }
}

extension MutationDelivery {
    /// Whether the mutation is on the disk.
    var isOnDisk: Bool { survives && progress.isSaved }

    /// Whether no attempt to send it has begun, so that the server cannot know it.
    var isUnsent: Bool { progress.isUnsent }
}

/// How far an outbox is with a mutation.
package struct MutationProgress: Sendable {
    /// The progress to show.
    package var status: PendingMutation.Status
    /// Whether the outbox has it.
    package var isSaved: Bool
    /// Whether no attempt to send it has begun.
    package var isUnsent: Bool
    /// The reason why the last attempt brought no outcome.
    package var error: (any Error)?
    /// The reason why it will not be delivered, unless the user decides otherwise.
    package var failure: (any Error)?
    /// Whether it is delivered, or will not be.
    package var hasEnded = false
    /// Whether somebody has decided that it is not delivered.
    package var isDiscarded = false
    /// Whether the outbox delivers another mutation in its place.
    package var isReplaced = false
    /// Whether it was removed because the user has dismissed a failed mutation that it needs.
    package var needsDismissed = false

    /// Creates a progress; by default nothing has happened yet.
    package init(
        status: PendingMutation.Status = .queued,
        isSaved: Bool = false,
        isUnsent: Bool = true,
        error: (any Error)? = nil
    ) {
        self.status = status
        self.isSaved = isSaved
        self.isUnsent = isUnsent
        self.error = error
    }
}
