import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting

/// The items that a list has to show.
struct ListLandings {
    /// The items of the loaded pages.
    var ids: Set<String> = []
    /// The items of a load that is not complete, if one has brought a page.
    var partial: Set<String>?
    /// The items of further pages of a new list, each of which the list may leave for later.
    var further: [Set<String>] = []
    /// Whether the user acted before the app could notice a page.
    var isDoubtful = false
    /// The items that the list has shown.
    var shown: Set<String> = []
    /// The last request that has brought a complete first page.
    var last: Int?
    /// The number of ended requests that have been looked at.
    var seen = 0
}

/// Checks of everything that must be true whenever all work has been done, and the app waits for
/// the server, for the user or for time to pass.
extension LivenessTrace {
    /// Checks what must be true at any moment.
    func lookAtOnce() {
        for (place, section) in sections.enumerated() where section.isList {
            let look = section.look
            if Set(look.ids).count < look.ids.count || look.items.map(\.id) != look.ids {
                server.blame("A25", "two items have one ID", "list \(place): \(look.ids)")
            }
        }
    }

    func inspect() {
        lookAtOnce()
        for duty in duties { duty() }
        duties = []
        for (place, section) in sections.enumerated() {
            checkLoading(section, place)
            checkError(section, place)
            if section.isList { checkItems(section, place) }
            checkFailures(section, place)
        }
        checkWaits()
        checkSends()
        checkNeed()
        for (place, section) in sections.enumerated() { server.note("    \(place): \(section.look.summary)") }
    }

    /// A19: `loading` means that a load runs, or will be repeated.
    private func checkLoading(_ section: LivenessSection, _ place: Int) {
        guard section.look.phase == .loading else { return }
        let loads = loads(of: section)
        if isRepeated(section) || loads.contains(where: \.isRunning) { return }
        let load = loads.contains(where: \.isOpen) ? "with a cancelled load only" : "without a load"
        server.blame("A19", "loading is shown \(load)", "section \(place)")
    }

    /// Whether the load of a section has failed, and is repeated after a delay.
    func isRepeated(_ section: LivenessSection) -> Bool {
        guard plan.retries > 0, clock.sleeperCount > 0 else { return false }
        let loads = loads(of: section).filter { !$0.isCancelled && !$0.isOpen }
        // A later one of shared loads may be that of another store.
        if section.source == nil { return loads.contains { $0.failure == false } }
        return loads.max { $0.end < $1.end }?.failure == false
    }

    /// A27: A newer value ends the error of an older load.
    private func checkError(_ section: LivenessSection, _ place: Int) {
        guard let error = section.look.error, error > 0 else { return }
        if section.pending.contains(where: { $0.status != .failed }) { return }
        let requests = server.requests
        let isNewer = { (request: LivenessServer.Request) in
            request.number > error && request.end > requests[error - 1].end && request.hasSucceeded
        }
        let response = section.look.value?.response ?? 0
        if section.isList
            ? loads(of: section).contains(where: isNewer) : response > 0 && isNewer(requests[response - 1])
        {
            server.blame("A27", "an error outlives a newer value", "section \(place)")
        }
    }

    /// A21: An item that a page delivered is shown, unless the app is deleting or creating it.
    private func checkItems(_ section: LivenessSection, _ place: Int) {
        guard let source = section.source, var landings = delivered[source] else { return }
        let look = section.look
        landings.note(server.requests.filter { matches($0, section) && !$0.isOpen && !$0.isCancelled })
        if look.phase != .loading { landings.complete(look) }
        delivered[source] = landings
        guard look.phase != .loading || look.isPaging else { return }
        server.state.withLock { state in
            let shown = Set(look.ids.map { state.canonical($0) })
            for id in landings.ids where !shown.contains(state.canonical(id)) && !state.mayHide(id, in: section.store) {
                let isSettled = state.changes.values.contains { change in
                    change.store == section.store && change.isAnswered && state.isSame(change.message, id)
                }
                let moment = isSettled ? " after a change of it was settled" : ""
                state.record.blame("A21", "an item that a page delivered is hidden\(moment)", "\(id) in list \(place)")
            }
        }
    }

    /// A23: A failure stays until it is dismissed.
    private func checkFailures(_ section: LivenessSection, _ place: Int) {
        if section.look.phase == .idle { return }
        let failed = server.state.withLock { state in
            state.changes.values.filter { change in
                change.store == section.store && change.hasFailed && !change.isDismissed && !change.isForgotten
            }
        }
        for change in failed where section.isList || isSame(section.id, change.message) {
            let pending = section.pending(of: change.message)
            if !pending.contains(where: { $0.label == String(change.number) && $0.status == .failed }) {
                server.blame(
                    "A23",
                    "a failure is gone that nobody dismissed",
                    "change \(change.number) in section \(place)"
                )
            }
        }
        for mutation in section.pending where mutation.status == .failed {
            guard let number = mutation.label.flatMap(Int.init), let code = mutation.error?.code else { continue }
            checkDependency(of: number, code)
        }
    }

    /// A24: A change fails only with what it needs.
    private func checkDependency(of number: Int, _ code: FeatureError.Code) {
        server.state.withLock { state in
            state.changes[number]?.isSeenAsFailed = true
            guard let change = state.changes[number], code == .dependencyFailed, change.dependencies.isEmpty else {
                return
            }
            let isOfNewItem = state.changes.values.contains { $0.kind == .insert && $0.message == change.message }
            if !isOfNewItem {
                state.record.blame("A24", "a change fails with another that it does not need", "change \(number)")
            }
        }
    }

    /// `settled()` returns when the section shows no load.
    private func checkWaits() {
        waits.removeAll { $0.isOver.withLock(\.self) }
        for wait in waits where wait.section.look.phase != .loading {
            server.blame("A19", "a wait does not end with the load", "")
        }
    }

    /// A change without an outcome is under way, or will be sent.
    private func checkSends() {
        for (place, section) in sections.enumerated() {
            guard section.pending.contains(where: { $0.status != .failed }), clock.sleeperCount == 0 else { continue }
            let isSending = server.requests.contains { request in
                guard case .change = request.kind else { return false }
                return request.source == section.store && request.isOpen
            }
            if !isSending { server.blame("A5", "a change waits for nothing", "section \(place)") }
        }
    }

    /// A29: A load that nothing waits for ends.
    private func checkNeed() {
        let live = sections + waits.map(\.section)
        for request in server.requests where request.isRunning {
            if case .change = request.kind { continue }
            if case .page = request.kind, plan.stores == .own { continue }
            if !live.contains(where: { matches(request, $0) }) {
                server.blame("A29", "a load runs that nothing waits for", "request \(request.number)")
            }
        }
    }
}

extension LivenessServer.State {
    /// Returns whether a list may hide a message that a page has delivered.
    fileprivate func mayHide(_ id: String, in store: Int) -> Bool {
        let own = changes.values.filter { $0.store == store && isSame($0.message, id) }
        let isGoing = own.contains { change in
            change.kind == .delete && !change.hasFailed || change.kind == .insert && !change.isAnswered
        }
        // A message that may lack a settled change is loaded again, after the pending ones.
        let isLacking = own.contains(where: \.isAnswered) && own.contains { !$0.isAnswered }
        let isLoading = requests.contains { request in
            guard request.isRunning, case .message(let other) = request.kind else { return false }
            return isSame(other, id)
        }
        return isGoing || isLacking || isLoading
    }
}

extension ListLandings {
    /// Notes the pages that have arrived since the last time.
    fileprivate mutating func note(_ requests: [LivenessServer.Request]) {
        for request in requests.filter({ $0.end > seen }).sorted(by: { $0.end < $1.end }) {
            seen = request.end
            guard request.failure == nil, case .page(let cursor) = request.kind else {
                partial = nil
                continue
            }
            isDoubtful = isDoubtful || request.isDoubtful
            if cursor == nil {
                partial = Set(request.ids)
                last = request.number
                further = []
            } else if partial == nil {
                partial = ids.union(request.ids)
            } else {
                further.append(Set(request.ids))
            }
        }
    }

    /// Ends a load.
    ///
    /// A new list covers the items that were shown. It need not keep a page that it has searched in
    /// vain, if it can load that page again.
    fileprivate mutating func complete(_ look: LivenessSection.Look) {
        if var ids = partial {
            for page in further where !look.hasMore || !page.isDisjoint(with: shown) || !page.isDisjoint(with: look.ids)
            {
                ids.formUnion(page)
            }
            self.ids = isDoubtful ? [] : ids
        }
        isDoubtful = false
        partial = nil
        further = []
        shown = Set(look.ids)
    }
}

extension LivenessSection.Look {
    fileprivate var summary: String {
        let error = error.map { " error of \($0)" } ?? ""
        let value = value.map { " \($0.id) \"\($0.text)\" \($0.marks) of \($0.response)" } ?? ""
        let more = (hasMore ? " has more" : "") + (isPaging ? " is paging" : "")
        return "\(phase)\(error)\(value)\(ids.isEmpty ? "" : " \(ids)")\(more)"
    }
}
