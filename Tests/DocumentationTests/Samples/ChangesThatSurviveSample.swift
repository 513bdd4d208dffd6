// The samples of Sources/BackplaneStorage/BackplaneStorage.docc/ChangesThatSurvive.md. Their tests,
// with more samples, are in ChangesThatSurviveTests.swift.

import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import Foundation

struct Grocery: Codable, Identifiable, Sendable {
    let id: String
    var isBought: Bool
}

struct Buy: RecordChange {
    let item: Grocery.ID

    var intent: Intent<[Grocery]> { .update(item) { $0.isBought = true } }
}

@MainActor final class GroceryModel {
    let items: Loader<String, [Grocery]>

    init(list: String, items: Loader<String, [Grocery]>) {
        self.items = items
        items.load(list)
    }

    func buy(_ item: Grocery.ID) throws {
        try items.enqueue(Buy(item: item))
    }
}

extension OutboxKind {
    static let groceries = OutboxKind("groceries", keyWindow: .seconds(24 * 60 * 60))
    static let orders = OutboxKind("orders", keyWindow: .seconds(60 * 60))
    static let notes = OutboxKind("notes")
}

extension AuthenticatedIdempotentEndpoint<Void> {
    static func buy(_ item: Grocery.ID, in list: String) -> Self {
        Self(.put("lists/\(list)/bought/\(item)"))
    }
}

// MARK: - Declared for the samples

struct GroceryOrder: Codable, Sendable {
    let number: Int
}

struct GroceryNote: Codable, Sendable {
    var text: String
    var tag: String?
}

struct EditNote: RecordChange {
    let list: String
    let text: String

    var intent: Intent<GroceryNote> { .edit { $0.text = text } }
}

extension AuthenticatedEndpoint<[Grocery]> {
    static func groceries(in list: String) -> Self { Self(.get("lists/\(list)")) }
}

extension AuthenticatedEndpoint<Grocery> {
    static func grocery(_ id: Grocery.ID) -> Self { Self(.get("items/\(id)")) }
}

extension AuthenticatedIdempotentEndpoint<GroceryOrder> {
    static func order(_ list: String) -> Self { Self(.post("lists/\(list)/orders")) }
}

extension AuthenticatedIdempotentEndpoint<Void> {
    static func edit(_ change: EditNote) -> Self { Self(.put("notes/\(change.list)", body: .json(change))) }
}

// MARK: - The rest of the samples

func orderNumber(from mine: AccountOutbox) async throws -> Int? {
    let order = try await mine.enqueue(.order("weekend"), of: .orders, entity: "orders", label: "Weekend")
    let number = try await order.response()?.number
    return number
}

func reviewGroceries(of mine: AccountOutbox, through controller: AuthenticatedNetworkController) {
    mine.review(.groceries) { operation in
        guard let change = operation.change(as: Buy.self) else { return nil }
        let item = try await controller.request(.grocery(change.item))
        return item.isBought
    }
}

@MainActor func notice(about outbox: AccountOutbox) -> String? {
    let status = outbox.status
    if status.parked > 0 { return "\(status.parked) changes need your decision." }
    if status.counts[.waitingForSignIn] != nil { return "Sign in to send \(status.pending) changes." }
    return status.oldest.map { "\(status.pending) changes are on their way since \($0)." }
}

@MainActor struct ParkedChanges {
    let outbox: AccountOutbox

    var operations: [OutboxOperation] { outbox.operations.filter(\.state.isParked) }

    func sentence(about operation: OutboxOperation) -> String {
        let reason = operation.reason ?? "The server may have carried it out."
        return "\(operation.label ?? operation.kind), since \(operation.createdAt): \(reason)"
    }

    func retry(_ operation: OutboxOperation) async throws { try await outbox.retry(operation.id) }

    func discard(_ operation: OutboxOperation) async throws { try await outbox.discard(operation.id) }
}

func mergeNotes(of mine: AccountOutbox) {
    mine.resolveConflicts(of: .notes) { [weak mine] (conflict: RecordConflict<EditNote>) in
        guard let theirs = conflict.theirs else { return }
        let merged = EditNote(list: conflict.change.list, text: "\(theirs.text)\n\(conflict.change.text)")
        try await mine?.edit(conflict.operation.id, to: .edit(merged), change: merged, entityTag: theirs.tag)
    }
}

func leave(
    _ mine: AccountOutbox,
    discardingUnsent: Bool,
    signOut: () async throws -> Void
) async throws {
    if discardingUnsent { try await mine.discardAll() }
    try await signOut()
}

func addFromExtension(for user: String, to group: URL) throws {
    let inbox = OutboxInbox(directory: group.appending(path: "inbox"))
    try inbox.add(.buy("milk", in: "weekend"), of: .groceries, account: user, entity: "weekend")
}

func importInbox(in group: URL, into outbox: Outbox) async throws -> [URL] {
    let unreadable = try await outbox.import(OutboxInbox(directory: group.appending(path: "inbox")))
    return unreadable
}
