internal import BackplaneConcurrency
public import BackplaneFeatures
internal import BackplaneNetworking

/// The progress of one operation for the callers of this process that wait for it.
///
/// It is the part of the outbox that a record of a store knows: see `MutationDelivery`.
final class OutboxTicket: MutationDelivery {
    /// The end of an operation: the server's response, or `nil` if another process has received it.
    typealias End = Result<ServerReply?, any Error>

    private struct State: Sendable {
        var progress: MutationProgress
        var observers: [OwnerCall] = []
        /// The stores that show the operation.
        var followers: [StoreSession] = []
        var lastWait = 0
        /// Whether this process has removed the operation from the file.
        var endsHere = false
        /// Writes the operation; `nil` if that has begun.
        var save: (@Sendable (OutboxTicket) -> Void)?
    }

    let id: IdempotencyKey
    /// The operation as it was made, without its data.
    private let operation: OutboxOperation?
    /// Whether the outbox has a file, so that the operation survives the end of the process.
    let survives: Bool
    private let state: Locked<State>
    private let end = SharedResult()

    /// Creates a ticket.
    ///
    /// - Parameters:
    ///   - id: The key of the operation.
    ///   - operation: The operation as it was made, without its data.
    ///   - survives: Whether the outbox has a file.
    ///   - progress: The progress so far.
    ///   - save: Writes the operation, if it is not written yet.
    init(
        _ id: IdempotencyKey,
        of operation: OutboxOperation? = nil,
        survives: Bool = true,
        _ progress: MutationProgress = MutationProgress(),
        save: (@Sendable (OutboxTicket) -> Void)? = nil
    ) {
        self.id = id
        self.operation = operation
        self.survives = survives
        state = Locked(State(progress: progress, save: save))
    }

    var progress: MutationProgress { state.withLock { $0.progress } }

    /// Whether this process has removed the operation from the file.
    var endsHere: Bool {
        get { state.withLock { $0.endsHere } }
        set { state.withLock { $0.endsHere = newValue } }
    }

    /// The error of an operation that another process has discarded or replaced.
    func discarded(in path: String) -> any Error {
        if let operation { return OutboxFailure(operation: operation, isDiscarded: true) }
        return StorageError.noSuchOperation(path, "\(id)", "was discarded")
    }

    func begin(notifying observer: OwnerCall, for follower: StoreSession) {
        let save = state.withLock { state in
            state.observers.append(observer)
            state.followers.append(follower)
            defer { state.save = nil }
            return state.save
        }
        save?(self)
    }

    /// Returns whether a store shows the operation, or has shown it.
    func isKnown(to store: StorePresence) -> Bool {
        state.withLock { state in state.followers.contains { $0.store === store } }
    }

    func isKnown(to follower: StoreSession) -> Bool {
        state.withLock { state in state.followers.contains { $0 === follower } }
    }

    /// Notes that the operation is removed because the user has dismissed one that it needs.
    ///
    /// Its store shows it as failed until the user has dismissed it, too.
    func noteDismissal() { state.withLock { $0.progress.needsDismissed = true } }

    /// Sets the progress, and notifies; does nothing after the end.
    func update(_ progress: MutationProgress) {
        change { $0 = progress }
    }

    /// Notes that the operation is on the disk.
    func noteSaved() {
        if !progress.isSaved { change { $0.isSaved = true } }
    }

    private func change(_ change: (inout MutationProgress) -> Void) {
        let observers = state.withLock { state in
            if state.progress.hasEnded { return [] as [OwnerCall] }
            change(&state.progress)
            return state.observers
        }
        OwnerCall.callAll(observers)
    }

    /// Ends the operation for its callers.
    ///
    /// - Parameters:
    ///   - reply: how it ended.
    ///   - isReplaced: whether another operation takes its place.
    func finish(_ reply: End, isReplaced: Bool = false) {
        switch reply {
        case .success: state.withLock { $0.progress.hasEnded = true }
        case .failure(let error):
            change { progress in
                progress.hasEnded = true
                progress.failure = error
                progress.isReplaced = isReplaced
                progress.isDiscarded = (error as? OutboxFailure)?.isDiscarded ?? false
            }
        }
        end.resolve(Box(reply))
        // Nothing changes from here on, and an observer keeps its record's delivery.
        state.withLock { $0.observers = [] }
    }

    /// Suspends until the server has confirmed the operation.
    ///
    /// - Returns: The response; `nil` if another process has received it.
    /// - Throws: ``OutboxFailure`` or ``StorageError`` if it will not be sent without the user.
    ///   `CancellationError` if the task is cancelled.
    func reply() async throws -> ServerReply? {
        let number = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        guard let end = await end.wait(as: number) else { throw CancellationError() }
        return try uncheckedDowncast(end, to: Box<End>.self).value.get()
    }
}

/// The error of an operation of an ``Outbox`` that is not sent without a decision of the user.
///
/// For a change of a record it is the `cause` of a `FeatureError` with the code `rejected`. Its
/// description contains none of the user's data.
public struct OutboxFailure: DefiniteRejection, Sendable {
    /// The operation when it was parked or discarded.
    public let operation: OutboxOperation
    /// Whether the user or the app has discarded it.
    public let isDiscarded: Bool
}

extension OutboxFailure: ServerFailure {
    package var isRefusal: Bool { true }
    package var isMissing: Bool { false }
    package var statusCode: Int? { operation.status }
    package var reason: String? { operation.reason }
    package var retryAfter: Duration? { nil }
}

extension OutboxFailure: CustomStringConvertible {
    /// The operation and its state, without the user's data.
    public var description: String {
        isDiscarded ? "\(operation) was discarded." : "\(operation). Retry, edit or discard it in its AccountOutbox."
    }
}
