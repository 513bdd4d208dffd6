/// Rule A10 without tasks, clocks or actors: which records a list has, in which order, and how far it has been loaded.
///
/// Every page that is asked for has a number; one that is not the last asked for belongs to an older generation and is
/// dropped.
package struct PageStateMachine<Cursor, ID: Hashable> {
    /// What a load is for.
    package enum Purpose {
        /// A new list, of which the first page is loaded.
        case first
        /// The page after those that are there.
        case more
        /// A new list as long as the present one, for reasons that are none of the person's: nothing of it must disappear.
        case refresh
    }

    /// A page that is asked for, to be given back when it has come.
    package struct Request {
        /// Where it begins; nil: at the start.
        package let cursor: Cursor?
        package let load: LoadStamp
    }

    /// Pages that have come.
    private struct Landing {
        let purpose: Purpose
        /// When the first of them was asked for.
        let load: LoadStamp
        /// How many records have to have come before any of them is shown.
        let count: Int
        var ids: [ID] = []
        var next: Cursor?

        mutating func rename(_ old: ID, to new: ID) {
            for index in ids.indices where ids[index] == old { ids[index] = new }
        }
    }

    /// A record that was made here, and that stands at the start until a page says where it belongs.
    private struct Insertion {
        var id: ID
        let mutation: IdempotencyKey
        /// The number of the last event when the server had made it; nil: it may or may not have.
        var settledAt: Int?
    }

    private let counter: LogicalClock
    private let holdsPages: Bool
    /// What pages have brought, each once.
    private var listed: [ID] = []
    private var members: Set<ID> = []
    /// The one made last comes first.
    private var insertions: [Insertion] = []
    private var next: Cursor?
    /// Whether a page has landed.
    package private(set) var hasLoaded = false
    private var current: Request?
    private var coming: Landing?
    private var held: Landing?
    private var failure: (error: any Error, purpose: Purpose)?
    /// Whether a record is being made elsewhere in the store (A17).
    private var isMadeElsewhere = false

    /// A list of which nothing is known.
    ///
    /// - Parameters:
    ///   - counter: what numbers the events of the records.
    ///   - holdsPages: whether the server may give a record that is made here another ID. Until its answer nobody can tell
    ///     whether a page has that record under the other ID; the page is kept aside until then, or it would be there twice.
    package init(counter: LogicalClock, holdsPages: Bool) {
        self.counter = counter
        self.holdsPages = holdsPages
    }
}

// MARK: - What there is to show

extension PageStateMachine {
    /// The records of the list in order, each once.
    package var ids: [ID] {
        let inserted = insertions.lazy.map(\.id).filter { !members.contains($0) }
        return Array(inserted) + listed
    }

    package func contains(_ id: ID) -> Bool {
        members.contains(id) || insertions.contains { $0.id == id }
    }

    /// Whether a record is on the list, or in a part of it that is not shown yet.
    package func needs(_ id: ID) -> Bool {
        contains(id) || [coming, held].contains { $0?.ids.contains(id) == true }
    }

    /// Whether pages have come that are not to be seen before it is known what became of a record that was made here.
    package var isHolding: Bool { held != nil }

    /// Whether a page is under way.
    package var isAwaitingPage: Bool { awaitedPage != nil }

    /// The number of the page that is under way.
    package var awaitedPage: Int? { current?.load.number }

    /// Whether a page is under way, or the first one is kept aside.
    package var isLoading: Bool { isAwaitingPage || isHolding && !hasLoaded }

    package var hasMore: Bool { next != nil }

    /// Why the last load failed, and what it was for.
    package var error: (any Error)? { failure?.error }
    package var failedPurpose: Purpose? { failure?.purpose }

    /// The number of the load under way that brings a new list, if one is.
    package var replacement: Int? {
        guard let coming, coming.purpose != .more else { return nil }
        return coming.load.number
    }
}

// MARK: - Loads

extension PageStateMachine {
    /// Starts a load instead of any that is under way; nil if there is no more to load, or it is not yet known where.
    package mutating func begin(_ purpose: Purpose) -> Request? {
        var cursor: Cursor?
        if purpose == .more {
            // What is kept aside knows where the next page begins.
            guard current == nil, held == nil, let next else { return nil }
            cursor = next
        }
        let request = Request(cursor: cursor, load: counter.startLoad())
        // The next page, which the person has asked for, is loaded with those that are there.
        let count = purpose == .refresh ? listed.count + (coming?.purpose == .more ? 1 : 0) : 0
        coming = Landing(purpose: purpose, load: request.load, count: count)
        current = request
        return request
    }

    package func isCurrent(_ request: Request) -> Bool {
        current?.load.number == request.load.number
    }

    /// A page has come; returns the next one to be asked for, if more have to come before any of it is shown.
    package mutating func finish(_ request: Request, with ids: [ID], next: Cursor?) -> Request? {
        guard isCurrent(request), var landing = coming else { return nil }
        landing.ids += ids
        landing.next = next
        if let next, landing.ids.count < landing.count {
            let following = Request(cursor: next, load: counter.startLoad())
            coming = landing
            current = following
            return following
        }
        (current, coming, failure) = (nil, nil, nil)
        held = landing
        landHeld()
        return nil
    }

    /// A17: says whether a record is being made elsewhere in the store, of which a page may have brought the other ID as well.
    package mutating func expectOthers(_ isMadeElsewhere: Bool) {
        self.isMadeElsewhere = isMadeElsewhere
        landHeld()
    }

    /// What is kept aside lands when nothing is being made.
    private mutating func landHeld() {
        let isMaking = isMadeElsewhere || insertions.contains { $0.settledAt == nil }
        if let held, !holdsPages || !isMaking { land(held) }
    }

    /// The load has failed; the list stays.
    package mutating func fail(_ request: Request, _ error: any Error) {
        guard isCurrent(request), let purpose = coming?.purpose else { return }
        (current, coming, failure) = (nil, nil, (error, purpose))
    }

    /// The load has been cancelled; everything is as before it.
    package mutating func cancel() {
        (current, coming) = (nil, nil)
        if !hasLoaded { held = nil }
    }

    private mutating func land(_ landing: Landing) {
        held = nil
        hasLoaded = true
        next = landing.next
        if landing.purpose != .more {
            listed = []
            members = []
            // A list that began after the server had made a record knows better whether it is part of it.
            insertions.removeAll { insertion in insertion.settledAt.map { $0 < landing.load.number } ?? false }
        }
        for id in landing.ids where members.insert(id).inserted { listed.append(id) }
    }

    /// Another session begins: the list is empty, and no page of the last one lands.
    package mutating func beginEpoch() {
        self = Self(counter: counter, holdsPages: holdsPages)
    }
}

// MARK: - Records made here

extension PageStateMachine {
    /// A record is made at the start of the list, by a mutation that is not settled.
    package mutating func insert(_ id: ID, by mutation: IdempotencyKey) {
        insertions.removeAll { $0.id == id }
        insertions.insert(Insertion(id: id, mutation: mutation), at: 0)
    }

    /// The mutation that makes the record, as long as it is not settled.
    package func insertion(of id: ID) -> IdempotencyKey? {
        insertions.first { $0.id == id && $0.settledAt == nil }?.mutation
    }

    /// It is known whether the server has made a record; what has been kept aside lands when nothing else is being made.
    package mutating func settleInsertion(of id: ID, isMade: Bool) {
        guard let index = insertions.firstIndex(where: { $0.id == id }) else { return }
        if isMade {
            insertions[index].settledAt = counter.last
        } else {
            insertions.remove(at: index)
        }
        landHeld()
    }

    /// A11: a record has another ID now, under which a page may have brought it already.
    package mutating func rename(_ old: ID, to new: ID) {
        for index in insertions.indices where insertions[index].id == old { insertions[index].id = new }
        coming?.rename(old, to: new)
        held?.rename(old, to: new)
        guard members.remove(old) != nil else { return }
        if members.insert(new).inserted {
            listed = listed.map { $0 == old ? new : $0 }
        } else {
            listed.removeAll { $0 == old }
        }
    }
}
