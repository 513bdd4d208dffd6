import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting

/// The duties that follow from each action, by its documentation.
extension LivenessTrace {
    func load(_ section: LivenessSection, _ choice: Int, _ name: String) {
        let id = section.isList ? "" : knownID(choice, in: section.store)
        server.note("load \(id) in \(name)")
        section.load(id)
        if let shown = section.id, !server.state.withLock({ $0.isSame(shown, id) }) {
            server.blame("A8", "a loader shows another ID than the one it was told to load", name)
        }
        expectLoad(of: section, name)
    }

    /// Returns the ID of a message that the app can know: one of the first three, or one of its
    /// own.
    private func knownID(_ choice: Int, in store: Int) -> String {
        let made = server.state.withLock { state in
            state.changes.values.filter { $0.kind == .insert && $0.store == store }.map(\.message).sorted()
        }
        return choice % 4 == 3 ? made.pick(choice / 4) ?? "a" : ["a", "b", "c"][choice % 3]
    }

    /// A load, a running load or a fresh value (A28).
    private func expectLoad(of section: LivenessSection, _ name: String) {
        let isWritten = section.isList || section.look.value?.response != 0
        let value = isWritten ? "value that is not fresh" : "value that no server has written"
        expect("A28", "a load of a \(value) starts nothing", name) { [self] before in
            section.look.phase == .loading || section.look.phase == .deleted || isFresh(section)
                || loads(of: section).contains { $0.isRunning || $0.number > before }
        }
    }

    func reload(_ section: LivenessSection, _ name: String) {
        server.note("reload \(name)")
        let before = section.look
        section.reload()
        guard section.id != nil || section.isList && before.phase != .idle else { return }
        expectStart(of: section, "A19", "a reload starts no load", name)
    }

    func retry(_ section: LivenessSection, _ name: String) {
        server.note("retry \(name)")
        let before = section.look
        section.retry()
        if before.phase == .failed { expectStart(of: section, "A19", "a retry starts no load", name) }
    }

    func loadMore(_ section: LivenessSection, _ name: String) {
        guard section.isList else { return }
        server.note("load more in \(name)")
        let before = section.look
        section.loadMore()
        guard before.hasMore, before.phase == .loaded || before.phase == .failed && before.isPaging else { return }
        expectStart(of: section, "A21", "more items are not loaded", name)
    }

    func cancel(_ section: LivenessSection, _ name: String) {
        server.note("cancel \(name)")
        let before = section.look
        let id = section.id
        let running = loads(of: section).filter(\.isRunning).map(\.number)
        section.cancel()
        // The user does not wait any longer for what the list does not show yet.
        if section.isList { delivered[section.source ?? 0]?.forgetHidden(section.look) }
        let isShared = (sections + waits.map(\.section)).contains { other in
            other !== section && isSame(other.id, id) && other.source == section.source
        }
        guard before.phase == .loading, section.isList || !isShared else { return }
        // The record that is shown again may be loading for another reason.
        if section.look.phase == .loading, section.id == id {
            server.blame("A19", "a cancelled load is still shown", name)
        }
        expect("A29", "a load runs that nothing waits for", name) { [self] _ in
            !running.contains { server.requests[$0 - 1].isRunning }
        }
    }

    func dismiss(_ section: LivenessSection, _ choice: Int, _ name: String) {
        let failures = changes(of: section).flatMap { id in
            section.pending(of: id).filter { $0.status == .failed }.map { (id, $0) }
        }
        guard let (id, failure) = failures.pick(choice) else { return }
        server.note("dismiss \(failure.label ?? "") in \(name)")
        section.dismiss(failure.id, of: id)
        server.state.withLock { state in
            if let number = failure.label.flatMap(Int.init) { state.changes[number]?.isDismissed = true }
        }
        if section.pending(of: id).contains(where: { $0.id == failure.id }) {
            server.blame("A23", "a dismissed failure is still shown", name)
        }
    }

    func retryPending(_ section: LivenessSection, _ name: String) {
        server.note("retry the pending changes of \(name)")
        let waiting = section.pending.filter { $0.status == .unconfirmed }.compactMap { $0.label.flatMap(Int.init) }
            .filter { number in !server.requests.contains { $0.kind == .change(number) && $0.isRunning } }
        section.retryPending()
        for number in waiting {
            expect("A5", "an unconfirmed change is not resent at once", name) { [self] before in
                server.requests.contains { $0.kind == .change(number) && $0.number > before }
            }
        }
    }

    // MARK: Refreshes

    func expectRefresh(of store: Int) {
        for (place, section) in sections.enumerated() where section.store == store {
            let look = section.look
            if look.phase == .idle || look.phase == .deleted { continue }
            // A load that runs may hang, so it is superseded even if the value is fresh.
            if isFresh(section), look.phase != .loading { continue }
            let unsettled = changes(of: section).flatMap { section.pending(of: $0) }.filter { $0.status != .failed }
            // Changes go first: the refresh resends them, or one is under way already.
            if !unsettled.isEmpty {
                expect("A22", "a refresh starts nothing", "section \(place)") { [self] before in
                    loads(of: section).contains { $0.number > before }
                        || server.requests.contains { request in
                            guard case .change = request.kind, request.source == store else { return false }
                            return request.isRunning || request.number > before
                        }
                }
            } else if section.source == nil, let load = loads(of: section).last(where: \.isRunning),
                load.number > section.lastJoinedLoad
            {
                // Another window may have started the load for the same reason, but only once.
                section.lastJoinedLoad = load.number
            } else {
                let subject = isDeleted(section) ? "a refresh of a deleted value" : "a refresh"
                expectStart(of: section, "A22", subject + " starts nothing", "section \(place)")
            }
        }
    }

    /// Refreshes of one signal share one load.
    func expectSharedRefresh() {
        guard server.state.withLock({ $0.mode == .waits }) else { return }
        for section in sections where section.id != nil && !section.isList {
            let isQuiet = sections.allSatisfy { other in
                !isSame(other.id, section.id) || other.pending.allSatisfy { $0.status == .failed }
            }
            guard isQuiet else { continue }
            let isAnyDeleted = sections.contains { isSame($0.id, section.id) && isDeleted($0) }
            let subject = isAnyDeleted ? "refreshes of a deleted value" : "refreshes of one signal"
            expect("A30", subject + " share no load", section.id ?? "") { [self] before in
                loads(of: section).count { $0.number > before } <= 1
            }
        }
    }

    /// Whether the app has deleted the value of a loader.
    private func isDeleted(_ section: LivenessSection) -> Bool {
        server.state.withLock { state in
            state.changes.values.contains { change in
                change.kind == .delete && change.store == section.store && !change.hasFailed
                    && state.isSame(change.message, section.id ?? "")
            }
        }
    }

    // MARK: Answers

    /// A response is shown by the sections that waited for it.
    func expectOutcome(of number: Int) {
        let request = server.requests[number - 1]
        guard !request.isCancelled else { return }
        if case .change = request.kind { return }
        for section in sections where section.look.phase == .loading && matches(request, section) {
            // The section may wait for the other request.
            if loads(of: section).contains(where: \.isRunning) || section.source == nil && isRepeated(section) {
                continue
            }
            let name = "request \(number)"
            if request.failure == nil {
                if section.isList { continue }
                // A value that may lack a change that was settled meanwhile is loaded again.
                expect("A20", "a loaded value is not shown", name) { [self] before in
                    section.look.value != nil || section.look.phase == .deleted
                        || loads(of: section).contains { $0.isRunning && $0.number > before }
                }
            } else {
                expect("A12", "a failed load shows no error", name) { _ in
                    section.look.error == number || section.look.phase == .deleted || section.look.phase == .loading
                }
            }
        }
    }

    // MARK: Changes

    func expectVisible(
        _ change: LivenessChange,
        of id: String,
        in section: LivenessSection,
        _ before: LivenessSection.Look
    ) {
        guard let pending = section.pending(of: id).first(where: { $0.label == String(change.number) }) else {
            server.blame("A2", "a change is not pending in the turn in which it is made", "change \(change.number)")
            return
        }
        guard pending.status != .failed else { return }
        let look = section.look
        let message = section.isList ? look.items.first { $0.id == id } : look.value
        let wasShown = section.isList ? before.ids.contains(id) : before.value != nil
        let isShown =
            switch change.kind {
            case .mark: message?.marks.contains(change.number) == true
            case .set: message?.text == "set \(change.number)"
            default: message == nil
            }
        if wasShown, !isShown { server.blame("A2", "a change is not visible at once", "change \(change.number)") }
    }

    func expectInserted(_ change: LivenessChange, in section: LivenessSection) {
        if !section.look.ids.contains(change.message) {
            server.blame("A2", "an insertion is not visible at once", "change \(change.number)")
        }
    }

    // MARK: Requests

    func expectStart(of section: LivenessSection, _ rule: String, _ fault: String, _ name: String) {
        expect(rule, fault, name) { [self] before in loads(of: section).contains { $0.number > before } }
    }

    /// Judges a condition when all the work of this turn has been done.
    func expect(
        _ rule: String,
        _ fault: String,
        _ detail: String,
        _ test: @escaping (_ requestsBefore: Int) -> Bool
    ) {
        let before = requestsBefore
        duties.append { [server] in
            if !test(before) { server.blame(rule, fault, detail) }
        }
    }

    /// The loads that concern a section.
    func loads(of section: LivenessSection) -> [LivenessServer.Request] {
        server.requests.filter { matches($0, section) }
    }

    func matches(_ request: LivenessServer.Request, _ section: LivenessSection) -> Bool {
        switch request.kind {
        case .message(let id): !section.isList && request.source == section.source && isSame(id, section.id)
        case .page: section.isList && request.source == section.source
        case .change: false
        }
    }

    func isSame(_ id: String?, _ other: String?) -> Bool {
        guard let id, let other else { return false }
        return server.state.withLock { $0.isSame(id, other) }
    }

    /// Whether the visible value was written so lately that the store need not load it.
    func isFresh(_ section: LivenessSection) -> Bool {
        guard let limit = plan.staleAfter else { return false }
        if section.isList {
            guard let list = delivered[section.source ?? 0] else { return false }
            return list.isDoubtful || list.first.map { clock.now.offset - $0.time < limit } ?? false
        }
        guard let response = section.look.value?.response else { return false }
        // The value of a creation covers what a page of the store has brought.
        let writers =
            response > 0
            ? [server.requests[response - 1]]
            : server.requests.filter { request in
                request.failure == nil
                    && sections.contains { list in
                        list.isList && list.store == section.store && matches(request, list)
                    } && request.ids.contains { isSame($0, section.id) }
            }
        return writers.contains { $0.isDoubtful || clock.now.offset - $0.time < limit }
    }

    /// The IDs of the messages that the app has changed in the store of the section.
    private func changes(of section: LivenessSection) -> [String] {
        if let id = section.id { return [id] }
        return server.state.withLock { state in
            Set(state.changes.values.filter { $0.store == section.store }.map(\.message)).sorted()
        }
    }
}
