import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation

extension Client {
    /// Makes the decisions of the user about refused operations.
    ///
    /// - Returns: Whether one was made.
    @discardableResult
    func decide(_ user: User) async throws -> Bool {
        var hasDecided = false
        for operation in try await user.outbox.operations(limit: .max) {
            guard let known = TortureOperation(label: operation.label),
                let decision = decision(about: operation, known)
            else { continue }
            let knowledge = knowledge(of: operation)
            if decided.updateValue(knowledge, forKey: operation.id) == knowledge { continue }
            do {
                try await make(decision, known, operation, user)
            } catch let error as StorageError {
                // Another process or the outbox has decided, or the disk is full.
                say("undecided \(known.number) \(error.code)")
            }
            hasDecided = true
        }
        return hasDecided
    }

    /// Returns the knowledge of the user about an operation.
    private func knowledge(of operation: OutboxOperation) -> String {
        "\(operation.state) \(operation.status ?? 0) \(operation.attempts)"
    }

    /// Returns what the user has to decide, or `nil` if that is nothing.
    private func decision(
        about operation: OutboxOperation,
        _ known: TortureOperation
    ) -> TortureOperation.Decision? {
        let decision = known.decision(after: operation.status)
        switch (operation.state, decision) {
        case (_, .leave): return nil
        case (.refused, _): return decision
        // Code merges the versions.
        case (.conflict, .edit): return known.sort == .edit || known.sort == .creation ? nil : .edit
        case (.conflict, _): return decision
        default: return nil
        }
    }

    private func make(
        _ decision: TortureOperation.Decision,
        _ known: TortureOperation,
        _ operation: OutboxOperation,
        _ user: User
    ) async throws {
        switch decision {
        case .leave: break
        case .discard:
            try note(.discarding(known.number))
            var gone = [known.number]
            if orders.ablation != .undiscarded { gone += try await discard(operation, known, user) }
            try note(.discarded(gone))
            for number in Set(gone) { try await tellDiscarded(number) }
        case .retry:
            try note(.retrying(known.number))
            try await user.outbox.retry(operation.id)
        case .edit:
            try note(.editing(known.number))
            let next = known.edited
            let isChange = known.sort == .edit || known.sort == .creation
            try await user.outbox.edit(
                operation.id,
                to: isChange
                    ? AuthenticatedIdempotentEndpoint<Receipt>.perform(next) : .perform(next),
                change: isChange ? TortureChange(operation: next) : nil,
                label: next.label
            )
        }
    }

    /// Discards an operation, or dismisses its change where the user sees it.
    private func discard(
        _ operation: OutboxOperation,
        _ known: TortureOperation,
        _ user: User
    ) async throws -> [Int] {
        guard let record = known.record, let page = user.pages[record], known.number.isMultiple(of: 2),
            page.pending.contains(where: { $0.id == operation.id })
        else {
            return try await user.outbox.discard(operation.id).compactMap { TortureOperation(label: $0.label)?.number }
        }
        let others = try await user.outbox.dependents(of: operation.id)
        page.dismiss(operation.id)
        while try await user.outbox.operations(limit: .max).contains(where: { $0.id == operation.id }) {}
        return others.compactMap { TortureOperation(label: $0.label)?.number }
    }

    // MARK: The end

    /// Waits until nothing is left but what the user leaves, and tells what that is.
    func drain(_ user: User) async throws -> Ending {
        // A review may queue an operation right after the wait, because it counted as parked. So
        // the work is done only when a whole wait has changed nothing.
        var (left, hasChanged) = ([] as [OutboxOperation], true)
        while try await decide(user) || hasChanged || left.contains(where: isOnItsWay) {
            let before = left
            if orders.reviews, left.contains(where: { $0.state == .needsReview }) {
                // Has the outbox ask again about what is not clear.
                user.outbox.start()
            }
            try await user.outbox.waitUntilDrained()
            left = try await user.outbox.operations(limit: .max)
            say("left \(left.map { "\(TortureOperation(label: $0.label)?.number ?? 0) \(knowledge(of: $0))" })")
            hasChanged = !left.elementsEqual(before) { $0.id == $1.id && knowledge(of: $0) == knowledge(of: $1) }
        }
        var ending = Ending()
        for record in user.pages.keys.sorted() { ending.pages.append(try await look(at: record, user)) }
        for operation in known where operation.sort == .creation && operation.account == user.outbox.account {
            let record = operation.record ?? ""
            let pending = user.list.pending(of: record).compactMap { TortureOperation(label: $0.label)?.number }
            ending.pages.append(Ending.Page(record: record, numbers: [], pending: pending))
        }
        await user.outbox.stop()
        let export = String(decoding: try await outbox.export(account: user.outbox.account), as: UTF8.self)
        for operation in try await user.outbox.operations(limit: .max) {
            guard let known = TortureOperation(label: operation.label) else { continue }
            ending.left.append(
                Ending.Leftover(key: "\(operation.id)", operation: known, state: operation.state.rawValue)
            )
            if !export.contains("\(operation.id)") { ending.isExported = false }
        }
        return ending
    }

    /// Whether code still works on an operation that counts as parked.
    private func isOnItsWay(_ operation: OutboxOperation) -> Bool {
        guard orders.reviews, let known = TortureOperation(label: operation.label) else { return false }
        switch operation.state {
        case .needsReview: return true
        case .conflict: return known.decision(after: operation.status) == .edit
        default: return false
        }
    }

    /// Loads a record once more, and returns what its page shows.
    private func look(at record: String, _ user: User) async throws -> Ending.Page {
        guard let page = user.pages[record] else { return Ending.Page(record: record, numbers: [], pending: []) }
        page.load(record)
        await waitUntil { page.value != nil || page.state.error != nil }
        page.reload()
        await waitUntil { !page.state.isLoading }
        return Ending.Page(
            record: record,
            numbers: page.value?.numbers ?? [],
            pending: page.pending.compactMap { TortureOperation(label: $0.label)?.number }
        )
    }
}
