import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting

/// The items that a list has to show.
///
/// A list has one request at a time, so its requests are looked at one after another.
struct ListLandings {
    /// The items of the loaded pages.
    private(set) var ids: Set<String> = []
    /// The request of the first of these pages.
    private(set) var first: LivenessServer.Request?
    /// The request of the last page that has landed.
    private(set) var last: LivenessServer.Request?
    /// Whether the user acted before the app could notice a page, so that the list may be another.
    private(set) var isDoubtful = false
    /// The pages of a load that is not complete.
    private var coming: [LivenessServer.Request] = []
    /// The items that the list has shown.
    private var shown: Set<String> = []
    private var seen = 0
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
            if section.isList { checkItems(section, place) }
            checkError(section, place)
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

    /// A27: A value ends the error of a load that had failed before the load of the value began.
    private func checkError(_ section: LivenessSection, _ place: Int) {
        guard let error = section.look.error, error > 0 else { return }
        if section.pending.contains(where: { $0.status != .failed }) { return }
        // A load that is repeated may have begun long before its last request.
        if !section.isList, plan.retries > 0 { return }
        let requests = server.requests
        let response = section.look.value?.response ?? 0
        let value = section.isList ? delivered[section.source ?? 0]?.last : response > 0 ? requests[response - 1] : nil
        if let value, !value.isDoubtful, !requests[error - 1].isDoubtful, value.begin >= requests[error - 1].end {
            server.blame("A27", "an error outlives a newer value", "section \(place)")
        }
    }

    /// A21: An item that a page delivered is shown, unless the app is deleting or creating it.
    private func checkItems(_ section: LivenessSection, _ place: Int) {
        guard let source = section.source, var landings = delivered[source] else { return }
        let look = section.look
        landings.note(server.requests.filter { matches($0, section) }, look, isRepeating: plan.retries > 0)
        delivered[source] = landings
        guard look.phase != .loading || look.isPaging else { return }
        // A load that is repeated after a delay will bring its item.
        let repeated = sections.filter { isRepeated($0) && $0.store == section.store }.compactMap(\.id)
        server.state.withLock { state in
            let shown = Set(look.ids.map { state.canonical($0) })
            for id in landings.ids where !shown.contains(state.canonical(id)) && !state.mayHide(id, in: section.store) {
                if repeated.contains(where: { state.isSame($0, id) }) { continue }
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
    /// Notes that the user has given up a load that may bring items which are not shown yet.
    mutating func forgetHidden(_ look: LivenessSection.Look) { ids.formIntersection(look.ids) }

    /// Notes what has become of the requests of the list since the last time.
    fileprivate mutating func note(
        _ requests: [LivenessServer.Request],
        _ look: LivenessSection.Look,
        isRepeating: Bool
    ) {
        for request in requests where request.number > seen && !request.isRunning {
            seen = request.number
            if request.kind == .page(nil) { yield(look) }
            if request.failure == nil, !request.isCancelled {
                coming.append(request)
            } else {
                // The request may be repeated, and then the earlier pages still count.
                if isRepeating, request.failure == false, !coming.isEmpty { isDoubtful = true }
                coming = []
            }
        }
        if look.phase != .loading {
            land(look)
            shown = Set(look.ids)
        }
    }

    /// Notes that another load has begun in the turn in which the last page arrived.
    ///
    /// The page may have landed or not. The new load covers only what is shown before and after.
    private mutating func yield(_ look: LivenessSection.Look) {
        guard let start = coming.first else { return }
        shown.formIntersection(look.ids)
        if start.kind == .page(nil) { ids.formIntersection(coming.flatMap(\.ids)) }
        (coming, isDoubtful) = ([], true)
    }

    /// Ends a load.
    ///
    /// A new list covers the items that were shown. It need not keep a page that it has searched in
    /// vain, if it can load that page again.
    private mutating func land(_ look: LivenessSection.Look) {
        guard let start = coming.first else { return }
        let isNew = start.kind == .page(nil)
        if coming.contains(where: \.isDoubtful) {
            (isDoubtful, ids) = (true, [])
        } else {
            if isNew { (isDoubtful, ids, first) = (false, [], start) }
            let found = shown.union(look.ids)
            for page in coming {
                let new = Set(page.ids).subtracting(ids)
                if page.number == start.number || !look.hasMore || !new.isDisjoint(with: found) { ids.formUnion(new) }
            }
            last = coming.last
        }
        if isDoubtful { ids = [] }
        (coming, shown) = ([], Set(look.ids))
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
