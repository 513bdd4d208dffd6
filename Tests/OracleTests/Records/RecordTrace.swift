import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting
import Observation
import TestSupport

/// An app with loaders and lists of one store, whose user can change at any moment, as the seed
/// decides.
actor RecordTrace {
    /// A hook that reads all visible values, which the app's closures call during a change (A16).
    private final class Peek {
        var look: (() -> Void)?
    }

    private let world: RecordWorld
    private let clock: ManualClock
    private let store: RecordStore<String, Note>
    private let shared: SharedLoads<String, Note>
    private let peek = Peek()
    private var loaders: [Loader<String, Note>] = []
    private var lists: [PagedLoader<Int, Note>] = []

    /// Runs the trace of `seed` on the calling thread.
    static func run(seed: UInt64) -> TraceRecord {
        var execution = SeededExecution(seed: seed)
        let world = RecordWorld(seed: ~seed, clock: execution.clock)
        let trace = RecordTrace(world: world, clock: execution.clock)
        for phase in [drive, heal, reload, check] {
            execution.start { await phase(trace) }
            if !execution.drain() {
                world.blame("the trace does not end")
                break
            }
        }
        return world.state.withLock { $0.record }
    }

    private static let drive: @Sendable (RecordTrace) async -> Void = { await $0.drive() }
    private static let heal: @Sendable (RecordTrace) async -> Void = { await $0.heal() }
    private static let reload: @Sendable (RecordTrace) async -> Void = { await $0.reload() }
    private static let check: @Sendable (RecordTrace) async -> Void = { await $0.check() }

    private init(world: RecordWorld, clock: ManualClock) {
        self.world = world
        self.clock = clock
        let peek = peek
        let revision: (Note) -> Int? = { note in
            peek.look?()
            return note.revision
        }
        store = RecordStore(
            revision: world.chance(50) ? revision : nil,
            identity: { note in
                peek.look?()
                return note.id
            },
            loadRetries: world.chance(50) ? RetryPolicy(count: 2) : .never,
            clock: clock
        )
        shared = SharedLoads(retries: RetryPolicy(count: world.chance(50) ? 1 : 0), clock: clock) { id in
            try await world.load(id)
        }
    }

    // MARK: Actions of the app

    private func drive() async {
        let (hasPeek, loaderCount, listCount) = world.draw { generator in
            (generator.chance(30), Int.random(in: 1...3, using: &generator), Int.random(in: 0...2, using: &generator))
        }
        for _ in 0..<loaderCount { loaders.append(makeLoader()) }
        for number in 0..<listCount { lists.append(makeList(number)) }
        if hasPeek { peek.look = { [unowned self] in assumeIsolated { $0.read() } } }
        track()
        for _ in 0..<world.draw({ Int.random(in: 6...24, using: &$0) }) {
            act()
            look("after an action")
            for _ in 0..<world.draw({ Int.random(in: 0...8, using: &$0) }) {
                await SeededExecution.pause()
                look("later")
            }
        }
    }

    private func makeLoader() -> Loader<String, Note> {
        if world.chance(40) { return Loader(store: store, sharing: shared) }
        let world = world
        return Loader(store: store) { id in try await world.load(id) }
    }

    private func makeList(_ number: Int) -> PagedLoader<Int, Note> {
        let world = world
        return PagedLoader(store: store) { cursor in try await world.loadPage(of: number, from: cursor) }
    }

    private func act() {
        let loader = world.draw { loaders.randomElement(using: &$0) }
        let number = lists.isEmpty ? nil : world.draw { Int.random(in: lists.indices, using: &$0) }
        switch world.draw({ Int.random(in: 0..<100, using: &$0) }) {
        case ..<20: if let loader { load(in: loader) }
        case ..<35: if let loader { change(.mark, in: loader) }
        case ..<40: if let loader { change(.delete, in: loader) }
        case ..<50: if let number { load(number) }
        case ..<60: if let number { changeItem(in: number) }
        case ..<68: if let number { insert(in: number) }
        case ..<74: callSharedLoad()
        case ..<76: loader?.cancel()
        case ..<78: loader?.reload()
        case ..<80: loader?.retryPending()
        case ..<82: store.refresh()
        case ..<84: if let number { lists[number].cancel() }
        case ..<86: replaceLoader()
        case ..<90: clock.advance(by: .seconds(world.draw { Int.random(in: 1...20, using: &$0) }))
        case ..<94: switchUser()
        default: break
        }
    }

    private func load(in loader: Loader<String, Note>) {
        let id = anyID()
        world.ask(for: id)
        world.note("load \(id)")
        loader.load(id)
    }

    private func load(_ number: Int) {
        world.ask(for: "list \(number)")
        world.note("load list \(number)")
        switch world.draw({ Int.random(in: 0..<3, using: &$0) }) {
        case 0: lists[number].load()
        case 1:
            lists[number].load()
            lists[number].reload()
        default:
            lists[number].load()
            lists[number].loadMore()
        }
    }

    private func anyID() -> String {
        world.state.withLock { state in
            let made = state.changes.filter { $0.value.kind == .insert && $0.value.session == state.session }
            let ids =
                ["a", "b", "c"]
                + made.sorted { $0.key < $1.key }.map { id, change in
                    change.isAnswered && state.generator.chance(50) ? "made\(id)" : "new\(id)"
                }
            return ids.randomElement(using: &state.generator) ?? "a"
        }
    }

    private func change(_ kind: RecordWorld.Change.Kind, in loader: Loader<String, Note>) {
        make(
            kind,
            of: { loader.id },
            isEarly: { loader.value == nil },
            mutate: { try await loader.mutate($0) },
            enqueue: { try loader.enqueue($0) }
        )
    }

    private func changeItem(in number: Int) {
        let list = lists[number]
        guard let id = world.draw({ list.ids.randomElement(using: &$0) }) else { return }
        make(
            world.chance(30) ? .delete : .mark,
            of: { id },
            isEarly: { false },
            mutate: { try await list.mutate($0, of: id) },
            enqueue: { try list.enqueue($0, of: id) }
        )
    }

    /// Makes a change, and either waits for its outcome or enqueues it without waiting.
    private func make(
        _ kind: RecordWorld.Change.Kind,
        of id: @escaping () -> String?,
        isEarly: @escaping () -> Bool,
        mutate: @escaping (Mutation<Note>) async throws -> Void,
        enqueue: (Mutation<Note>) throws -> Void
    ) {
        if world.chance(50) {
            guard let id = id() else { return }
            let change = world.makeChange(kind, of: id, isEarly: isEarly())
            do { try enqueue(mutation(kind, change)) } catch { world.forget(change) }
        } else {
            call("a change") {
                guard let id = id() else { return }
                let change = self.world.makeChange(kind, of: id, isEarly: isEarly())
                await self.hear(change) { try await mutate(self.mutation(kind, change)) }
            }
        }
    }

    private func hear(_ change: Int, _ body: () async throws -> Void) async {
        do {
            try await body()
            world.note("change \(change) ends")
        } catch {
            world.note("change \(change) ends: \(error)")
            guard let error = error as? FeatureError else { return }
            switch error.code {
            case .rejected, .targetMissing, .dependencyFailed: world.setFate(.failed, of: change)
            case .notLoaded: world.forget(change)
            default: break
            }
        }
    }

    private func mutation(_ kind: RecordWorld.Change.Kind, _ change: Int) -> Mutation<Note> {
        kind == .delete ? deletion(change) : marking(change)
    }

    private func marking(_ change: Int) -> Mutation<Note> {
        let (world, peek) = (world, peek)
        let mark: (inout Note) -> Void = { note in
            peek.look?()
            note.marks.append(change)
        }
        if world.chance(30) {
            return Mutation(.edit(mark)) { _ in
                try await world.send(change)
            } merging: { response, note in
                peek.look?()
                if let response { note = response } else { mark(&note) }
            }
        }
        return Mutation(.edit(mark), send: { _ in try await world.send(change) }, confirming: { $0 })
    }

    private func deletion(_ change: Int) -> Mutation<Note> {
        let world = world
        return Mutation(.delete) { _ in try await world.send(change) }
    }

    private func insert(in number: Int) {
        let (world, list) = (world, lists[number])
        call("an insertion") {
            guard world.hasAsked(for: "list \(number)") else { return }
            let change = world.makeChange(.insert, list: number)
            let item = Note(id: "new\(change)", session: world.session, marks: [], revision: 0)
            world.ask(for: item.id)
            await self.hear(change) {
                try await list.insert(item, send: { _ in try await world.send(change) }, confirming: { $0 })
            }
        }
    }

    private func callSharedLoad() {
        let id = anyID()
        let (world, shared) = (world, shared)
        call("a shared load of \(id)") {
            let session = world.session
            world.ask(for: id)
            let note = try await shared.value(for: id)
            if note.session != session {
                world.blame("A14: a caller of session \(session) receives a note of session \(note.session)")
            }
        }
    }

    private func replaceLoader() {
        loaders.removeFirst()
        loaders.append(makeLoader())
        track()
    }

    private func switchUser() {
        world.note("a new user")
        world.beginSession()
        store.reset()
        shared.invalidateAll()
    }

    private func call(_ name: String, _ body: @escaping () async throws -> Void) {
        let world = world
        let id = world.beginCall(name)
        _ = startTask(on: self) {
            try? await body()
            world.endCall(id)
        }
    }

    // MARK: Invariants

    private func read() {
        for loader in loaders { _ = loader.value }
        for list in lists { _ = list.items }
    }

    /// Reads all visible values when a change is announced, in the middle of the change (A15).
    private func track() {
        withObservationTracking {
            read()
        } onChange: { [weak self] in
            self?.assumeIsolated { trace in
                trace.look("when a change is announced")
                trace.track()
            }
        }
    }

    private func look(_ moment: String) {
        let shown = loaders.map { $0.value.map { [$0] } ?? [] } + lists.map(\.items)
        let pending = lists.map { Set($0.ids) }
        world.state.withLock { state in
            for (face, notes) in shown.enumerated() {
                let name = face < loaders.count ? "loader \(face)" : "list \(face - loaders.count)"
                for fault in state.faults(in: notes) { state.record.blame("\(fault) in \(name), seen \(moment)") }
            }
            for (id, change) in state.changes where change.isBeingInserted(in: state) {
                guard let list = change.list, !state.isDeleted(change.note) else { continue }
                if !pending[list].contains(change.note) {
                    state.record.blame("A13: insertion \(id) is not shown in list \(list), seen \(moment)")
                }
            }
        }
    }

    private func heal() {
        world.state.withLock { $0.isHealed = true }
        for loader in loaders { loader.retryPending() }
        for list in lists { list.retryPending() }
        store.refresh()
    }

    private func reload() {
        look("at rest")
        for loader in loaders { loader.reload() }
        for (number, list) in lists.enumerated() where world.hasAsked(for: "list \(number)") {
            list.reload()
        }
    }

    private func check() {
        look("at the end")
        let calls = world.state.withLock { $0.calls }
        for call in calls.values { world.blame("\(call.name) of session \(call.session) never ends") }
        let server = world.state.withLock { $0.servers[$0.session].notes }
        for loader in loaders {
            guard let id = loader.id else { continue }
            let truth = server.first { $0.id == id }
            if loader.value?.marks != truth?.marks { world.blame("A13: \(id) differs from the server's note") }
            if !loader.pending.filter({ $0.status != .failed }).isEmpty {
                world.blame("A13: \(id) still has pending changes")
            }
        }
        for (number, list) in lists.enumerated() where world.hasAsked(for: "list \(number)") {
            let shown = list.items.map { [$0.id] + $0.marks.map(String.init) }
            let truth = server.prefix(shown.count).map { [$0.id] + $0.marks.map(String.init) }
            if shown != truth || (!list.hasMore && shown.count < server.count) {
                world.blame("A13: list \(number) differs from the server's list")
            }
        }
        world.state.withLock { state in
            for (id, change) in state.changes where change.session == state.session && change.fate == .alive {
                guard change.kind == .mark,
                    let note = server.first(where: { (state.firstIDs[$0.id] ?? $0.id) == change.note })
                else { continue }
                if !note.marks.contains(id), !state.isUnsure(change.note) {
                    state.record.blame("A13: change \(id) is lost")
                }
            }
        }
    }
}

extension RecordWorld.Change {
    fileprivate func isBeingInserted(in state: RecordWorld.State) -> Bool {
        kind == .insert && session == state.session && fate == .alive
            && !state.firstIDs.values.contains(note)
    }
}

extension RecordWorld.State {
    private func changes(of note: String) -> [Int: RecordWorld.Change] {
        changes.filter { $0.value.note == note && $0.value.session == session }
    }

    func isDeleted(_ note: String) -> Bool {
        changes(of: note).values.contains { $0.kind == .delete && $0.fate != .failed }
    }

    /// Returns whether the app does not know yet under which ID the server has the note.
    private func isBeingInserted(_ note: String) -> Bool {
        changes(of: note).values.contains { $0.kind == .insert && !$0.isAnswered }
    }

    /// Returns whether a change of the note can fail because another change fails.
    func isUnsure(_ note: String) -> Bool {
        changes(of: note).values.contains { $0.kind == .delete || $0.kind == .insert && $0.fate != .alive }
    }

    /// Returns the faults in the visible notes of one loader or list.
    fileprivate func faults(in notes: [Note]) -> [String] {
        var faults: [String] = []
        var seen: Set<String> = []
        for note in notes {
            if note.session != session {
                faults.append("A14: a note of session \(note.session) is shown in session \(session)")
                continue
            }
            let first = firstIDs[note.id] ?? note.id
            // A21: Until the response, a page may contain an inserted note under its new ID.
            let isKnown = !isBeingInserted(first)
            if isKnown, !seen.insert(first).inserted { faults.append("A17: note \(first) is shown twice") }
            let isUnsure = isUnsure(first)
            for (id, change) in changes(of: first) {
                let count = note.marks.count { $0 == id }
                switch (change.kind, change.fate) {
                case (.delete, .alive) where isKnown || change.name == note.id:
                    faults.append("A11: note \(first) is shown although change \(id) deletes it")
                case (.mark, .failed) where count > 0: faults.append("A13: failed change \(id) is shown")
                case (.mark, .alive) where count == 0 && !isUnsure && (isKnown || change.name == note.id):
                    faults.append("A13: change \(id) is not shown")
                // A20: The first value may contain the change that is shown on top of it.
                case (.mark, _) where count > (change.isEarly ? 2 : 1):
                    faults.append("A13: change \(id) is shown \(count) times")
                default: break
                }
            }
        }
        return faults
    }
}
