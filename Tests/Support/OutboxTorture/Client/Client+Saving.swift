import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import TestSupport

extension Client {
    /// Saves the operation with a number, whose sort and place it decides.
    func save(_ number: Int, for user: User) async throws {
        let operation = plan(number, for: user.outbox.account)
        say("saving \(number)")
        switch operation.sort {
        case .note, .step, .follower: try await enqueue(operation, for: user)
        case .letter: try await post(operation)
        case .edit: try await edit(operation, for: user)
        case .creation: try await create(operation, for: user)
        }
        say("saved \(number)")
    }

    private func plan(_ number: Int, for account: String) -> TortureOperation {
        var generator = SeededGenerator(seed: UInt64(number))
        if orders.isPlain { return TortureOperation(number, of: account, .note, entity: "entity-0") }
        let mine = known.filter { $0.account == account }
        switch generator.below(12) {
        case 0: return TortureOperation(number, of: account, .step, entity: "steps-\(number / 8)")
        case 1: return TortureOperation(number, of: account, .letter, entity: "letters")
        case 2, 3, 4, 5:
            let record = User.records(of: account)[generator.below(4)]
            return TortureOperation(number, of: account, .edit, entity: User.entity(of: record), record: record)
        case 6, 7:
            // An ID that occurs in no other.
            let record = "new-\(account)-\(1_000_000 + number)"
            return TortureOperation(number, of: account, .creation, entity: record, record: record)
        case 8:
            guard let record = mine.filter({ $0.sort == .creation }).suffix(4).randomElement(using: &generator)?.record
            else { break }
            return TortureOperation(number, of: account, .follower, entity: record, record: record)
        default: break
        }
        let others = mine.filter { [.note, .step, .follower].contains($0.sort) }.suffix(6)
        let after = generator.chance(40) ? others.randomElement(using: &generator)?.number : nil
        let entity = "entity-\(generator.below(3))"
        return TortureOperation(number, of: account, .note, entity: entity, after: after)
    }

    // MARK: Operations without a record

    private func enqueue(_ operation: TortureOperation, for user: User) async throws {
        try note(.saving(operation, base: nil))
        do {
            let saved = try await user.outbox.enqueue(
                AuthenticatedIdempotentEndpoint<Receipt>.perform(operation),
                of: .of(operation.sort, keyWindow: orders.keyWindow),
                entity: orders.ablation == .noOrder ? "own-\(operation.number)" : operation.entity,
                after: orders.ablation == .noDependencies ? nil : operation.after.flatMap(TortureOperation.key(of:)),
                label: operation.label,
                key: operation.key ?? IdempotencyKey()
            )
            try hasSaved(operation)
            follow(saved, operation.number)
        } catch let error as StorageError {
            try refuse(operation, error.code.description)
        }
    }

    private func hasSaved(_ operation: TortureOperation) throws {
        try note(.saved(operation.number))
        known.append(operation)
    }

    private func refuse(_ operation: TortureOperation, _ code: String) throws {
        try note(.refused(operation.number, code))
        say("refused \(operation.number) \(code)")
    }

    private func follow(_ saved: SavedOperation<Receipt>, _ number: Int) {
        Task {
            do {
                let receipt = try await saved.response()
                // There is none if another process has received it.
                let isMine = receipt == nil || receipt?.number == number
                say(isMine ? "acked \(number)" : "mismatch \(number)")
            } catch is OutboxFailure {
                // An event tells that the operation is parked.
            } catch let error as StorageError where error.code == .noSuchOperation {
                // It was discarded or replaced.
            } catch {
                say("mismatch \(number) \(error)")
            }
        }
    }

    // MARK: Letters

    private func post(_ operation: TortureOperation) async throws {
        try note(.saving(operation, base: nil))
        do {
            try inbox.add(
                AuthenticatedIdempotentEndpoint<Receipt>.perform(operation),
                of: .of(.letter, keyWindow: orders.keyWindow),
                account: operation.account,
                entity: operation.entity,
                label: operation.label,
                key: operation.key ?? IdempotencyKey()
            )
            try hasSaved(operation)
        } catch {
            try refuse(operation, "\(error)")
        }
        // Twice at the same time, as two windows do.
        async let other: Void = importLetters()
        await importLetters()
        await other
    }

    func importLetters() async {
        guard let unreadable = try? await outbox.import(inbox), !unreadable.isEmpty else { return }
        say("mismatch letters \(unreadable.map(\.lastPathComponent))")
    }

    // MARK: Changes of records

    private func edit(_ operation: TortureOperation, for user: User) async throws {
        guard let record = operation.record, let page = user.pages[record] else { return }
        page.load(record)
        await waitUntil { page.value != nil || page.state.error != nil }
        guard let value = page.value else {
            // The user sees nothing to change, and writes a note.
            return try await enqueue(
                TortureOperation(operation.number, of: operation.account, .note, entity: "entity-0"),
                for: user
            )
        }
        say("loaded \(operation.number)")
        let base = value.tag?.split(separator: "#").last.flatMap { Int($0.dropLast()) }
        try note(.saving(operation, base: base))
        try page.enqueue(TortureChange(operation: operation), label: operation.label)
        try await untilSaved(operation, for: user)
    }

    private func create(_ operation: TortureOperation, for user: User) async throws {
        user.list.load()
        await waitUntil { user.list.state.value != nil }
        try note(.saving(operation, base: nil))
        try user.list.insert(TortureChange(operation: operation), label: operation.label)
        try await untilSaved(operation, for: user)
    }

    /// Waits until a change is on the disk, and follows it.
    private func untilSaved(_ operation: TortureOperation, for user: User) async throws {
        let label = operation.label
        guard let id = user.pending(beside: operation).first(where: { $0.label == label })?.id else {
            return say("mismatch \(operation.number) is not shown")
        }
        func mutation() -> PendingMutation? { user.pending(beside: operation).first { $0.id == id } }
        say("shown \(operation.number)")
        await waitUntil { mutation().map { $0.isSaved || $0.status == .failed } ?? true }
        if let error = mutation()?.error, !(mutation()?.isSaved ?? true) {
            return try refuse(operation, (error.cause as? StorageError)?.code.description ?? "\(error)")
        }
        try hasSaved(operation)
        Task { await follow(operation, id) }
    }

    private func follow(_ operation: TortureOperation, _ id: PendingMutation.ID) async {
        guard let user = users[operation.account] else { return }
        func mutation() -> PendingMutation? { user.pending(beside: operation).first { $0.id == id } }
        await waitUntil { mutation().map { $0.status == .failed } ?? true }
        if mutation() == nil { say("acked \(operation.number)") }
    }
}
