import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting

/// The end of a trace: the faults are over, and everything comes to rest.
extension LivenessTrace {
    /// The phases, each of which begins when the work of the one before has been done.
    static let end: [@Sendable (LivenessTrace) async -> Void] = [
        { await $0.heal() }, { await $0.letPass() }, { await $0.checkRest() }, { await $0.checkRetries() },
        { await $0.reload() }, { await $0.loadMore() }, { await $0.loadMore() }, { await $0.loadMore() },
        { await $0.loadMore() }, { await $0.loadMore() }, { await $0.loadMore() }, { await $0.checkValues() },
        { await $0.refreshAll() }, { await $0.checkValues() }, { await $0.checkChanges() },
    ]

    /// From now on the server answers everything; a request that hangs times out or is answered
    /// late.
    private func heal() {
        server.note("the faults end")
        server.state.withLock { $0.mode = .isHonest }
        _ = server.beginTurn()
        for request in server.requests where request.isOpen {
            var timesOut = request.number.isMultiple(of: 2)
            if plan.stores == .own, case .change = request.kind { timesOut = false }
            server.answer(request.number, timesOut ? .fails : .honest)
        }
    }

    private func letPass() {
        server.note("the bound of all delays passes")
        _ = server.beginTurn()
        clock.advance(by: LivenessClock.bound)
    }

    private func checkRest() {
        for (place, section) in sections.enumerated() {
            if section.look.phase == .loading { server.blame("A19", "a load does not end", "section \(place)") }
            if section.pending.contains(where: { $0.status != .failed }) {
                server.blame("A5", "a change does not end", "section \(place)")
            }
        }
        if clock.sleeperCount > 0 { server.blame("A5", "something still waits for time to pass", "") }
        server.note("retry what failed")
        for section in sections where section.look.phase == .failed { section.retry() }
    }

    private func checkRetries() {
        for (place, section) in sections.enumerated() {
            let isMissing = server.state.withLock { state in
                !state.messages.contains { $0.id == state.canonical(section.id ?? "") }
            }
            if section.look.phase == .failed, section.isList || !isMissing {
                server.blame("A19", "a retry does not end a failure", "section \(place)")
            }
        }
    }

    private func reload() {
        server.note("reload everything")
        _ = server.beginTurn()
        for section in sections {
            if section.isList, section.look.phase == .idle { section.load("") } else { section.reload() }
        }
    }

    private func loadMore() {
        for section in sections { section.loadMore() }
    }

    private func refreshAll() {
        server.note("refresh everything")
        _ = server.beginTurn()
        clock.advance(by: .seconds(61))
        for store in stores.values { store.refresh() }
    }

    private func checkValues() {
        let truth = server.state.withLock { $0.messages }
        for (place, section) in sections.enumerated() {
            let look = section.look
            if section.isList {
                let shown = look.items.map { [$0.id, $0.text] + $0.marks.map(String.init) }
                if shown != truth.map({ [$0.id, $0.text] + $0.marks.map(String.init) }) {
                    server.blame("A13", "the items are not the server's", "list \(place): \(shown)")
                }
            } else if let id = section.id {
                let message = truth.first { isSame($0.id, id) }
                let isEqual = look.value?.text == message?.text && look.value?.marks == message?.marks
                let isKnownAsMissing = message == nil && (look.phase == .failed || look.phase == .deleted)
                if !isEqual, !isKnownAsMissing {
                    server.blame("A13", "the value is not the server's", "loader \(place): \(look.phase)")
                }
            }
        }
    }

    /// A13, A24: A change that nothing has refused was carried out, or replaced by a later one.
    private func checkChanges() {
        server.state.withLock { state in
            for change in state.changes.values where !change.isDecided && !change.isForgotten {
                let isUnsure = state.changes.values.contains { other in
                    guard state.isSame(other.message, change.message), other.number != change.number else {
                        return false
                    }
                    return other.kind == .insert || other.kind == .delete
                        || change.kind == .set && other.kind == .set && other.number > change.number
                            && (other.isCarriedOut || other.dependencies == change.dependencies)
                }
                let exists = state.messages.contains { state.isSame($0.id, change.message) }
                if change.dependencies.isEmpty, exists, !isUnsure {
                    state.record.blame("A24", "a change is lost", "change \(change.number)")
                }
            }
        }
    }
}
