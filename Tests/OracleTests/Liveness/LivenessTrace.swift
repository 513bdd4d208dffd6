import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting

/// An app with loaders and lists, which a plan drives.
actor LivenessTrace {
    /// A section that waits for itself to settle.
    struct Wait {
        let section: LivenessSection
        let isOver: Locked<Bool>
    }

    let plan: LivenessPlan
    let fault: PlantedFault?
    let server: LivenessServer
    let clock: ManualClock
    let shared: SharedLoads<String, Message>
    var stores: [Int: RecordStore<String, Message>] = [:]
    var sections: [LivenessSection] = []
    var waits: [Wait] = []
    /// The expectations about this turn, judged when all its work has been done.
    var duties: [() -> Void] = []
    /// The items that each list must show, by the list's number.
    var delivered: [Int: ListLandings] = [:]
    /// The keys of the changes that the app has made.
    private(set) var keys: [Int: IdempotencyKey] = [:]
    private var signals: [AsyncStream<Void>.Continuation] = []
    private var lastNumber = 0
    /// The number of requests before the current turn.
    private(set) var requestsBefore = 0

    init(plan: LivenessPlan, fault: PlantedFault?, server: LivenessServer, clock: ManualClock) {
        self.plan = plan
        self.fault = fault
        self.server = server
        self.clock = clock
        shared = SharedLoads(retries: RetryPolicy(count: plan.retries), clock: LivenessClock(manual: clock)) { id in
            try await server.load(id, for: nil)
        }
    }

    // MARK: The app

    func open() {
        for number in plan.stores == .two ? [0, 1] : plan.stores == .one ? [0] : [] {
            let store = makeStore()
            stores[number] = store
            let (signal, continuation) = AsyncStream<Void>.makeStream()
            signals.append(continuation)
            _ = startTask(on: self) { for await _ in signal { store.refresh() } }
        }
        for place in 0..<4 { sections.append(makeSection(at: place)) }
    }

    func close() {
        for signal in signals { signal.finish() }
        sections = []
        duties = []
        waits = []
    }

    private func makeStore() -> RecordStore<String, Message> {
        let server = server
        return RecordStore(
            revision: plan.hasRevisions ? { $0.revision } : nil,
            identity: plan.replacesIDs ? { $0.id } : nil,
            loadRetries: RetryPolicy(count: plan.retries),
            staleAfter: plan.staleAfter,
            clock: LivenessClock(manual: clock),
            sending: ChangeSender { (change: MessageChange, _: String, _) in
                try await server.send(change.number)
            } confirming: {
                $0
            }
        )
    }

    /// Makes a loader or a list: two of each in one store, or one of each in two.
    func makeSection(at place: Int) -> LivenessSection {
        let server = server
        let fault = fault
        lastNumber += 1
        let number = 100 + lastNumber
        let storeNumber = plan.stores == .own ? number : plan.stores == .one ? 0 : place % 2
        let store = stores[storeNumber]
        if place >= 2 {
            delivered[number] = ListLandings()
            let list = PagedLoader<Int, Message>(store: store, insertsInOrder: plan.insertsInOrder) { cursor in
                guard fault == .asksWithoutEnd else { return try await server.loadPage(at: cursor, for: number) }
                var page = try await server.loadPage(at: cursor, for: number)
                for _ in 0..<100 where page.items.isEmpty {
                    page = try await server.loadPage(at: page.next, for: number)
                }
                return page
            }
            return LivenessSection(.list(list), store: storeNumber, source: number, fault: fault)
        }
        if plan.sharesLoads {
            let loader = Loader(store: store, sharing: shared)
            return LivenessSection(.loader(loader), store: storeNumber, source: nil, fault: fault)
        }
        let loader = Loader<String, Message>(store: store) { id in
            guard fault == .keepsLoadAlive else { return try await server.load(id, for: storeNumber) }
            return try await Task.detached { try await server.load(id, for: storeNumber) }.value
        }
        return LivenessSection(.loader(loader), store: storeNumber, source: storeNumber, fault: fault)
    }

    // MARK: Steps

    func perform(_ turn: [LivenessPlan.Step]) {
        requestsBefore = server.beginTurn()
        let open = server.requests.filter(\.isOpen)
        for step in turn {
            if step.isAtOnce { server.note("(in the same turn)") }
            perform(step)
            lookAtOnce()
        }
        if turn.count > 1 {
            duties = []
            server.doubt(open.map(\.number).filter { !server.requests[$0 - 1].isOpen })
        }
    }

    private func perform(_ step: LivenessPlan.Step) {
        let place = step.place % 4
        let section = sections[place]
        let name = "\(section.isList ? "list" : "loader") \(place)"
        switch step.action {
        case .load: load(section, step.choice, name)
        case .reload: reload(section, name)
        case .retry: retry(section, name)
        case .cancel: cancel(section, name)
        case .loadMore: loadMore(section, name)
        case .leave: leave(place, name)
        case .wait: wait(section, name)
        case .mark, .set, .delete, .insert: change(step, section, name)
        case .dismiss: dismiss(section, step.choice, name)
        case .retryPending: retryPending(section, name)
        case .refresh: refresh(section.store)
        case .signal: signal()
        case .answer: answer(step)
        case .serve:
            let modes = LivenessServer.Mode.allCases
            let mode = modes[step.choice % modes.count]
            server.note("the server: \(mode)")
            server.state.withLock { $0.mode = mode }
        case .interfere:
            server.note("another client changes the messages")
            server.interfere(step.choice)
        case .tick:
            let seconds = [1, 61, 300][step.choice % 3]
            server.note("\(seconds) s pass")
            clock.advance(by: .seconds(seconds))
        }
    }

    private func answer(_ step: LivenessPlan.Step) {
        let open = server.requests.filter(\.isOpen)
        guard !open.isEmpty else { return }
        let request = open[step.place % open.count]
        let answers = LivenessServer.Answer.allCases
        var answer = step.choice % 100 < 55 ? .honest : answers[step.choice % answers.count]
        // A store of its own has no clock of the trace, so nothing may be resent.
        if plan.stores == .own, case .change = request.kind, answer == .fails || answer == .lost { answer = .refuses }
        server.answer(request.number, answer)
        expectOutcome(of: request.number)
    }

    private func leave(_ place: Int, _ name: String) {
        let old = sections[place]
        let id = old.id
        server.note("\(name) is left and made anew")
        if plan.stores == .own { server.state.withLock { $0.forget(old.store) } }
        sections[place] = makeSection(at: place)
        if id != nil || old.isList, old.look.phase != .idle { sections[place].load(id ?? "") }
    }

    private func wait(_ section: LivenessSection, _ name: String) {
        server.note("wait for \(name)")
        let isOver = Locked(false)
        waits.append(Wait(section: section, isOver: isOver))
        if fault == .neverSettles { return }
        _ = startTask(on: self) {
            await section.settled()
            isOver.withLock { $0 = true }
        }
    }

    private func signal() {
        server.note("a signal")
        for store in stores.keys.sorted() { expectRefresh(of: store) }
        expectSharedRefresh()
        if fault == .refreshesPerWindow {
            for section in sections where section.id != nil {
                _ = startTask(on: self) {
                    await SeededExecution.pause()
                    section.reload()
                }
            }
        }
        for signal in signals { signal.yield() }
    }

    private func refresh(_ number: Int) {
        guard let store = stores[number] else { return }
        server.note("refresh of store \(number)")
        expectRefresh(of: number)
        if fault != .ignoresRefresh { store.refresh() }
    }

    // MARK: Changes

    private func change(_ step: LivenessPlan.Step, _ section: LivenessSection, _ name: String) {
        guard let kind = LivenessChange.Kind(rawValue: "\(step.action)") else { return }
        if kind == .insert {
            insert(step, section, name)
        } else if let id = section.isList ? section.look.ids.pick(step.choice / 8) : section.id {
            change(kind, id, step, section, name)
        }
    }

    private func change(
        _ kind: LivenessChange.Kind,
        _ id: String,
        _ step: LivenessPlan.Step,
        _ section: LivenessSection,
        _ name: String
    ) {
        let needed = step.choice % 3 == 0 ? earlierChange(step.choice / 3, of: id, in: section.store) : nil
        let change = note(kind, of: id, in: section, needing: needed, name)
        let number = change.number
        let after = fault == .forgetsDependency ? [] : Set([needed.flatMap { keys[$0] }].compactMap(\.self))
        let before = section.look
        do {
            if kind != .set, step.choice % 2 == 0, plan.stores != .own {
                try section.enqueue(MessageChange(number: number, kind: kind), of: id, after: after)
            } else {
                try section.enqueue(mutation(change, after), of: id)
            }
        } catch {
            server.note("  \(error)")
            server.state.withLock { $0.changes[number] = nil }
            return
        }
        keys[number] = section.pending(of: id).first { $0.label == String(number) }?.id
        expectVisible(change, of: id, in: section, before)
    }

    private func mutation(_ change: LivenessChange, _ after: Set<IdempotencyKey>) -> Mutation<Message> {
        let server = server
        let (number, kind) = (change.number, change.kind)
        switch kind {
        case .set:
            return Mutation(.set(\.text, to: "set \(number)"), label: String(number), after: after) { _ in
                try await server.send(number)
            } confirming: {
                $0
            }
        case .delete:
            return Mutation(.delete, label: String(number), after: after) { _ in try await server.send(number) }
        default:
            return Mutation(
                .edit { message in
                    kind.apply(number, to: &message)
                },
                label: String(number),
                after: after
            ) { _ in
                try await server.send(number)
            } confirming: {
                $0
            }
        }
    }

    private func insert(_ step: LivenessPlan.Step, _ section: LivenessSection, _ name: String) {
        guard case .list(let list) = section.member, section.look.phase != .idle else { return }
        let change = note(.insert, of: nil, in: section, needing: nil, name)
        let (number, server) = (change.number, server)
        let message = Message(id: change.message, text: "new")
        if fault == .ignoresChange { return }
        if plan.stores != .own {
            do {
                keys[number] = try list.insert(
                    MessageChange(number: number, kind: .insert, message: message),
                    label: String(number)
                )
                expectInserted(change, in: section)
            } catch {
                server.note("  \(error)")
                server.state.withLock { $0.changes[number] = nil }
            }
            return
        }
        _ = startTask(on: self) {
            try? await list.insert(message, label: String(number)) { _ in
                try await server.send(number)
            } confirming: {
                $0
            }
        }
    }

    private func note(
        _ kind: LivenessChange.Kind,
        of id: String?,
        in section: LivenessSection,
        needing needed: Int?,
        _ name: String
    ) -> LivenessChange {
        server.state.withLock { state in
            lastNumber += 1
            let change = LivenessChange(
                number: lastNumber,
                kind: kind,
                message: id ?? "n\(lastNumber)",
                store: section.store,
                dependencies: Set([needed].compactMap(\.self)),
                isOfRefusedItem: state.changes.values.contains {
                    $0.kind == .insert && $0.hasFailed && $0.message == id
                }
            )
            state.changes[lastNumber] = change
            let needs = needed.map { ", needs change \($0)" } ?? ""
            state.record.note("change \(lastNumber): \(kind) \(change.message) in \(name)\(needs)")
            return change
        }
    }

    private func earlierChange(_ choice: Int, of id: String, in store: Int) -> Int? {
        server.state.withLock { state in
            state.changes.values.filter { $0.store == store && state.isSame($0.message, id) }.map(\.number)
                .filter { keys[$0] != nil }.sorted().pick(choice)
        }
    }
}

extension LivenessServer.State {
    /// Forgets the changes of a store that no longer exists.
    fileprivate mutating func forget(_ store: Int) {
        for number in changes.keys where changes[number]?.store == store { changes[number]?.isForgotten = true }
    }
}

extension Array {
    func pick(_ choice: Int) -> Element? { isEmpty ? nil : self[choice % count] }
}
