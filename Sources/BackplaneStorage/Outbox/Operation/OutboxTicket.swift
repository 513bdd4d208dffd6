internal import BackplaneConcurrency
internal import BackplaneFeatures
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
    /// Whether the outbox has a file, so that the operation survives the end of the process.
    let survives: Bool
    private let state: Locked<State>
    private let end = SharedResult()

    /// Creates a ticket.
    ///
    /// - Parameters:
    ///   - id: The key of the operation.
    ///   - survives: Whether the outbox has a file.
    ///   - progress: The progress so far.
    ///   - save: Writes the operation, if it is not written yet.
    init(
        _ id: IdempotencyKey,
        survives: Bool = true,
        _ progress: MutationProgress = MutationProgress(),
        save: (@Sendable (OutboxTicket) -> Void)? = nil
    ) {
        self.id = id
        self.survives = survives
        state = Locked(State(progress: progress, save: save))
    }

    var progress: MutationProgress { state.withLock { $0.progress } }

    /// Whether this process has removed the operation from the file.
    var endsHere: Bool {
        get { state.withLock { $0.endsHere } }
        set { state.withLock { $0.endsHere = newValue } }
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

    /// Notes whether this process sends another operation instead.
    ///
    /// It ends when its stores show that one.
    func noteReplacement(_ isReplaced: Bool, in path: String) {
        let failure = isReplaced ? removal(in: path) : nil
        state.withLock { state in
            if state.progress.hasEnded { return }
            (state.progress.isDiscarded, state.progress.isReplaced) = (isReplaced, isReplaced)
            state.progress.failure = failure
        }
    }

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
    func finish(_ end: End) {
        switch end {
        case .success: state.withLock { $0.progress.hasEnded = true }
        case .failure(let error): fail(with: error)
        }
        resolve(end)
    }

    /// Ends the operation for its callers, because somebody has discarded or replaced it.
    func discard(in path: String) {
        let error = removal(in: path)
        fail(with: error) { $0.isDiscarded = true }
        resolve(.failure(error))
    }

    private func removal(in path: String) -> StorageError {
        .noSuchOperation(path, "\(id)", "was discarded or replaced")
    }

    private func fail(with error: any Error, _ note: (inout MutationProgress) -> Void = { _ in }) {
        change { progress in
            (progress.hasEnded, progress.failure) = (true, error)
            note(&progress)
        }
    }

    private func resolve(_ end: End) {
        self.end.resolve(Box(end))
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

/// The error of an operation of an ``Outbox`` that is not confirmed.
///
/// The server has refused the operation, or its outcome is unknown and it is sent again: see the
/// state of ``operation``. For a change of a record, this is the `cause` of the error of the
/// `PendingMutation`. The description contains no data of the user.
public struct OutboxFailure: Error, Sendable {
    /// The operation after its last attempt.
    public let operation: OutboxOperation
}

extension OutboxFailure: ServerFailure {
    package var isRefusal: Bool { operation.state.hasFailed }
    package var isMissing: Bool { false }
    package var statusCode: Int? { operation.status }
    package var reason: String? { operation.reason }
    package var retryAfter: Duration? { nil }
}

extension OutboxFailure: CustomStringConvertible {
    /// The operation and its state, without the user's data.
    public var description: String {
        isRefusal ? "\(operation). Retry, edit or discard it in its AccountOutbox." : "\(operation)"
    }
}
