/// Rule A10 without tasks, clocks or actors: the records of a list, their order, and the progress
/// of its loads.
///
/// Each requested page has a number. A page that is not the last requested one belongs to an older
/// generation and is dropped.
package struct PageStateMachine<Cursor, ID: Hashable> {
    /// The purpose of a load.
    package enum Purpose {
        /// The first page of a new list.
        case first
        /// The page after the loaded pages.
        case more
        /// A new list as long as the current one, for a reload that the user did not request: no
        /// item may disappear.
        case refresh
    }

    /// A requested page; the caller gives it back when the page has arrived.
    package struct Request {
        /// The cursor of the page, or `nil` for the first page.
        package let cursor: Cursor?
        package let load: LoadStamp
    }

    /// Pages that have arrived.
    private struct Landing {
        let purpose: Purpose
        /// The start of the first of these pages.
        let load: LoadStamp
        /// The number of records that must arrive before any of them is shown.
        let count: Int
        var ids: [ID] = []
        var next: Cursor?

        mutating func rename(_ old: ID, to new: ID) {
            for index in ids.indices where ids[index] == old { ids[index] = new }
        }
    }

    /// A record that was created here, and that stays at the start of the list until a page
    /// contains it.
    private struct Insertion {
        var id: ID
        let mutation: IdempotencyKey
        /// The number of the last event when the server had created it, or `nil` while that is
        /// unknown.
        var settledAt: Int?
        /// Whether an outbox has not sent it yet, so that no page contains it.
        var isUnsent = false
    }

    private let logicalClock: LogicalClock
    private let holdsPages: Bool
    /// The records from pages, each once.
    private var listed: [ID] = []
    private var members: Set<ID> = []
    /// The created records, newest first.
    private var insertions: [Insertion] = []
    private var next: Cursor?
    /// Whether a page has landed.
    package private(set) var hasLoaded = false
    private var current: Request?
    private var coming: Landing?
    private var held: Landing?
    private var failure: (error: any Error, purpose: Purpose)?
    /// Whether a record is being created elsewhere in the store (A17).
    private var isMadeElsewhere = false

    /// Creates a list that has not been loaded.
    ///
    /// - Parameters:
    ///   - logicalClock: the clock that numbers the events of the records.
    ///   - holdsPages: whether the server may replace the ID of a record that is created here.
    ///     Until the server responds, a page may contain that record under its new ID. The list
    ///     sets such a page aside, so that the record is not shown twice.
    package init(logicalClock: LogicalClock, holdsPages: Bool) {
        self.logicalClock = logicalClock
        self.holdsPages = holdsPages
    }
}

// MARK: - Visible state

extension PageStateMachine {
    /// The records of the list in order, each once.
    package var ids: [ID] {
        let inserted = insertions.lazy.map(\.id).filter { !members.contains($0) }
        return Array(inserted) + listed
    }

    package func contains(_ id: ID) -> Bool {
        members.contains(id) || insertions.contains { $0.id == id }
    }

    /// Returns whether a record is on the list, or in a part of it that is not shown yet.
    package func needs(_ id: ID) -> Bool {
        contains(id) || [coming, held].contains { $0?.ids.contains(id) == true }
    }

    /// Whether pages are set aside until the outcome of a creation is known.
    package var isHolding: Bool { held != nil }

    /// Whether a page is under way.
    package var isAwaitingPage: Bool { awaitedPage != nil }

    /// The number of the page that is under way.
    package var awaitedPage: Int? { current?.load.number }

    /// Whether a page is under way, or the first page is set aside.
    package var isLoading: Bool { isAwaitingPage || isHolding && !hasLoaded }

    package var hasMore: Bool { next != nil }

    /// The error of the last load, if it failed.
    package var error: (any Error)? { failure?.error }
    package var failedPurpose: Purpose? { failure?.purpose }

    /// Whether the page that is under way, or otherwise the load that failed last, is of the next
    /// page.
    package var isPaging: Bool { (coming?.purpose ?? failure?.purpose) == .more }

    /// The number of the current load, if it replaces the list.
    package var replacement: Int? {
        guard let coming, coming.purpose != .more else { return nil }
        return coming.load.number
    }
}

// MARK: - Loads

extension PageStateMachine {
    /// Starts a load that replaces any current one, or returns `nil` if the next page does not
    /// exist or is not known yet.
    package mutating func begin(_ purpose: Purpose) -> Request? {
        var cursor: Cursor?
        if purpose == .more {
            // A page that is set aside has the cursor of the next page.
            guard current == nil, held == nil, let next else { return nil }
            cursor = next
        }
        let request = Request(cursor: cursor, load: logicalClock.startLoad())
        // The user requested the next page, so a refresh loads it together with the existing pages.
        let count = purpose == .refresh ? listed.count + (coming?.purpose == .more ? 1 : 0) : 0
        coming = Landing(purpose: purpose, load: request.load, count: count)
        current = request
        return request
    }

    package func isCurrent(_ request: Request) -> Bool {
        current?.load.number == request.load.number
    }

    /// Takes a page that has arrived, and returns the next request if more pages must arrive before
    /// they are shown.
    package mutating func finish(_ request: Request, with ids: [ID], next: Cursor?) -> Request? {
        guard isCurrent(request), var landing = coming else { return nil }
        landing.ids += ids
        landing.next = next
        if let next, landing.ids.count < landing.count {
            let following = Request(cursor: next, load: logicalClock.startLoad())
            coming = landing
            current = following
            return following
        }
        (current, coming, failure) = (nil, nil, nil)
        held = landing
        landHeld()
        return nil
    }

    /// A17: Notes whether a record is being created elsewhere in the store, whose new ID may be in
    /// a page.
    package mutating func expectOthers(_ isMadeElsewhere: Bool) {
        self.isMadeElsewhere = isMadeElsewhere
        landHeld()
    }

    /// Lands the pages that were set aside, if no record is being created.
    private mutating func landHeld() {
        let isMaking = isMadeElsewhere || insertions.contains { $0.settledAt == nil && !$0.isUnsent }
        if let held, !holdsPages || !isMaking { land(held) }
    }

    /// Notes that the load failed; the list stays.
    package mutating func fail(_ request: Request, _ error: any Error) {
        guard isCurrent(request), let purpose = coming?.purpose else { return }
        (current, coming, failure) = (nil, nil, (error, purpose))
    }

    /// Notes that the load was cancelled; the list is the same as before the load.
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
            // A list that was requested after the server had created a record decides whether the
            // record belongs to it.
            insertions.removeAll { insertion in insertion.settledAt.map { $0 < landing.load.number } ?? false }
        }
        for id in landing.ids where members.insert(id).inserted { listed.append(id) }
    }

    /// Starts a new session: the list is empty, and no page of the former session lands.
    package mutating func beginEpoch() {
        self = Self(logicalClock: logicalClock, holdsPages: holdsPages)
    }
}

// MARK: - Records made here

extension PageStateMachine {
    /// Adds a record at the start of the list, created by a mutation that is not settled.
    package mutating func insert(_ id: ID, by mutation: IdempotencyKey) {
        insertions.removeAll { $0.id == id }
        insertions.insert(Insertion(id: id, mutation: mutation), at: 0)
    }

    /// Returns the mutation that creates the record, or `nil` if it is settled.
    package func insertion(of id: ID) -> IdempotencyKey? {
        insertions.first { $0.id == id && $0.settledAt == nil }?.mutation
    }

    /// The record of the last insertion that is not settled, or `nil` if all are settled.
    package var openInsertion: ID? { insertions.first { $0.settledAt == nil }?.id }

    /// Notes which creations have not been sent yet, so that no page can contain their records.
    package mutating func noteUnsent(_ isUnsent: (ID) -> Bool) {
        for index in insertions.indices { insertions[index].isUnsent = isUnsent(insertions[index].id) }
        landHeld()
    }

    /// Notes the outcome of a creation, and lands the pages that were set aside if no other record
    /// is being created.
    package mutating func settleInsertion(of id: ID, isMade: Bool) {
        guard let index = insertions.firstIndex(where: { $0.id == id }) else { return }
        if isMade {
            insertions[index].settledAt = logicalClock.last
        } else {
            insertions.remove(at: index)
        }
        landHeld()
    }

    /// A11: Gives a record its new ID, which a page may already contain.
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
