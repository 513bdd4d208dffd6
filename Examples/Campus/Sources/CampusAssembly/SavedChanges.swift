import BackplaneFeatures
import BackplaneStorage
import CampusModels
import CampusNetworking
import DashboardModels
import Observation
import Screens

/// The changes in the file of an outbox, as one window shows them.
///
/// The outbox changes on any thread, and this copy only on the window's actor. So an observer on
/// that actor misses no change.
@Observable
final class SavedChanges {
    /// The largest number of changes in the copy.
    private static let listed = 100

    /// The changes that the server has not confirmed, oldest first.
    private(set) var operations: [OutboxOperation] = []
    let outbox: AccountOutbox
    let orders: PurchaseOrders
    /// The numbers of the next orders, not newer than ``operations``.
    private(set) var numbers: PurchaseOrders.Numbers
    /// The numbers of the last read that has begun, and of the newest one that has ended.
    @ObservationIgnored private var reads = (begun: 0, ended: 0)
    /// The changes from before, and the ones that are sent again: no store of the window reports
    /// that they have reached the server.
    @ObservationIgnored private var awaited: Set<IdempotencyKey>?

    /// Creates a copy without changes: see ``follow(onArrival:isolation:)``.
    init(_ outbox: AccountOutbox, orders: PurchaseOrders) {
        self.outbox = outbox
        self.orders = orders
        numbers = orders.first
    }

    /// Keeps the copy up to date until the task is cancelled.
    ///
    /// - Parameters:
    ///   - onArrival: called when changes that the stores of the window may not know have reached
    ///     the server, or are discarded.
    ///   - isolation: the actor of the window; keep the default.
    func follow(onArrival: () -> Void, isolation: isolated (any Actor)? = #isolation) async {
        while !Task.isCancelled {
            let (changes, change) = AsyncStream<Void>.makeStream()
            withObservationTracking {
                _ = outbox.status
            } onChange: {
                change.finish()
            }
            // Read after the observation has begun, so that no change is missed in between.
            try? await update()
            let current = Set(operations.map(\.id))
            let arrived = awaited?.subtracting(current) ?? []
            awaited = awaited?.intersection(current) ?? current
            if !arrived.isEmpty { onArrival() }
            for await _ in changes {}
        }
    }

    /// Reads the changes from the file.
    func update() async throws {
        reads.begun += 1
        let number = reads.begun
        let numbers = await orders.numbers
        let changes = try await outbox.operations(limit: Self.listed)
        // A read that began later has seen more.
        guard number > reads.ended else { return }
        (operations, self.numbers, reads.ended) = (changes, numbers, number)
    }

    /// Returns whether an earlier process has saved a change of the current event.
    func hasChangeOfEvent() async throws -> Bool {
        guard let key = IdempotencyKey.ofEvent else { return false }
        try await perform {}
        return operations.contains { $0.id == key }
    }

    /// Performs an operation on the file, and reads the changes again.
    ///
    /// - Throws: a `DisplayError`, because the errors of the file are for the operator.
    func perform<Value>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            let value = try await operation()
            try? await update()
            return value
        } catch let error as StorageError {
            throw error.code == .noSuchOperation
                ? DisplayError("This change is being sent, or is no longer there.") : DisplayError.unsavedChange
        }
    }
}

extension DisplayError {
    /// The error of a change that is not in the file, and is not sent.
    static let unsavedChange = DisplayError("Your changes cannot be saved right now. Try again later.")
}

// MARK: - The dashboard

extension SavedChanges {
    /// The changes that the server has not confirmed, oldest first.
    var changes: [PendingChange] {
        var held: Set<String> = []
        return operations.map { operation in
            let isHeld = operation.state == .queued && held.contains(operation.entity)
            let holds =
                OutboxKind.messages.name == operation.kind ? operation.state.isParked : operation.state == .needsReview
            if holds { held.insert(operation.entity) }
            return PendingChange(operation, isHeld ? .needsRefused : ChangeState(operation))
        }
    }

    /// The number of changes that are not in ``changes``.
    var moreChanges: Int {
        operations.count < Self.listed ? 0 : max(0, outbox.status.total - operations.count)
    }

    func tryNow() { outbox.resume() }

    func sendAgain(_ id: PendingChange.ID) async throws {
        guard let key = IdempotencyKey(id.rawValue) else { return }
        try await perform {
            try await self.outbox.retry(key)
            self.awaited?.insert(key)
        }
    }

    func discard(_ id: PendingChange.ID) async throws {
        guard let key = IdempotencyKey(id.rawValue) else { return }
        try await perform { _ = try await self.outbox.discard(key) }
    }
}

extension PendingChange {
    fileprivate init(_ operation: OutboxOperation, _ state: ChangeState) {
        let draft = operation.draft
        let kinds: [String: String] = [
            OutboxKind.todos.name: "To-do", OutboxKind.favorites.name: "Favorite",
            OutboxKind.purchases.name: "Purchase",
        ]
        self.init(
            id: ID(rawValue: "\(operation.id)"),
            text: draft?.text ?? operation.label ?? "A change without a description",
            kind: draft.map { "To \($0.recipients.names)" } ?? kinds[operation.kind] ?? "Message",
            since: Timestamp(operation.createdAt),
            state: state,
            actions: draft == nil ? state.actions.subtracting([.edit]) : state.actions
        )
    }
}

// MARK: - Messages

extension OutboxOperation {
    /// The message that the operation sends; `nil` if it is none, or is of an unknown form.
    fileprivate var message: OutgoingMessage? {
        kind == OutboxKind.messages.name ? change(as: OutgoingMessage.self) : nil
    }

    fileprivate var draft: Draft? { message?.draft }
}

extension SavedChanges {
    /// Returns the contents of a message that was not sent.
    func draft(of id: PendingChange.ID) -> Draft? { operations.first { "\($0.id)" == id.rawValue }?.draft }

    /// Replaces the message of a draft that was not sent, in its place among the messages.
    ///
    /// - Returns: whether there was such a message.
    func replaceMessage(by draft: Draft) async throws -> Bool {
        guard let operation = unsentMessages(of: draft.id).first, let message = operation.message else { return false }
        try await perform {
            let key = try await self.outbox.edit(
                operation.id,
                to: .send(draft.message),
                change: OutgoingMessage(id: message.id, draft: draft),
                label: draft.text
            )
            self.awaited?.insert(key)
        }
        return true
    }

    /// Discards the messages of a draft that were not sent.
    func discardMessages(of draft: Draft.ID) async throws {
        for operation in unsentMessages(of: draft) {
            try await perform { _ = try await self.outbox.discard(operation.id) }
        }
    }

    private func unsentMessages(of draft: Draft.ID) -> [OutboxOperation] {
        operations.filter { $0.state.isParked && $0.draft?.id == draft }
    }
}
