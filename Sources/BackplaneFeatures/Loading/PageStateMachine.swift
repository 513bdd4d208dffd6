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
        /// A new list with all items of the current one, for a reload that the user did not
        /// request: no item may disappear.
        case refresh
    }

    /// A requested page; the caller gives it back when the page has arrived.
    package struct Request {
        /// The cursor of the page, or `nil` for the first page.
        package let cursor: Cursor?
        package let load: LoadStamp
    }

    /// A record that was created here, and that stays at the start of the list until a page
    /// contains it.
    private struct Insertion {
        var id: ID
        let mutation: IdempotencyKey
        /// The number of the last event when the server had created it, or `nil` while that is
        /// unknown.
        var settledAt: Int?
    }

    private let logicalClock: LogicalClock
    /// The records from pages, each once.
    private var listed: [ID] = []
    private var members: Set<ID> = []
    /// The created records, newest first.
    private var insertions: [Insertion] = []
    private var next: Cursor?
    /// Whether a page has arrived.
    package private(set) var hasLoaded = false
    private var current: Request?
    private var coming: LandingPages<Cursor, ID>?
    /// The number of pages of the list that have brought a record.
    private var pageCount = 0
    private var failure: (error: any Error, purpose: Purpose)?

    /// Creates a list that has not been loaded.
    ///
    /// - Parameter logicalClock: the clock that numbers the events of the records.
    package init(logicalClock: LogicalClock) {
        self.logicalClock = logicalClock
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
        contains(id) || coming?.contains(id) == true
    }

    /// The number of the page that is under way.
    package var awaitedPage: Int? { current?.load.number }

    /// A19: Whether a page is under way; no pending mutation counts as one.
    package var isLoading: Bool { current != nil }

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
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the load.
    ///   - isShown: whether an item is shown, so that a refresh must find it.
    /// - Returns: the request of the first page.
    package mutating func begin(_ purpose: Purpose, finding isShown: (ID) -> Bool = { _ in true }) -> Request? {
        var cursor: Cursor?
        if purpose == .more {
            guard current == nil, let next else { return nil }
            cursor = next
        }
        let request = Request(cursor: cursor, load: logicalClock.startLoad())
        let shown = purpose == .refresh ? listed.filter(isShown) : []
        // The user requested the next page, so a refresh loads it together with the existing pages.
        let isPaging = purpose != .refresh || shown.isEmpty || coming?.purpose == .more
        coming = LandingPages(
            purpose: purpose,
            load: request.load,
            finding: shown,
            count: shown.count + (isPaging ? 1 : 0),
            besides: purpose == .more ? members : [],
            pageCount: pageCount
        )
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
        landing.add(ids, next: next)
        if let next, landing.needsMore {
            let following = Request(cursor: next, load: logicalClock.startLoad())
            coming = landing
            current = following
            return following
        }
        (current, coming, failure) = (nil, nil, nil)
        land(landing)
        return nil
    }

    /// Notes that the load failed; the list stays.
    package mutating func fail(_ request: Request, _ error: any Error) {
        guard isCurrent(request), let purpose = coming?.purpose else { return }
        (current, coming, failure) = (nil, nil, (error, purpose))
    }

    /// Notes that the load was cancelled; the list is the same as before the load.
    package mutating func cancel() {
        (current, coming) = (nil, nil)
    }

    private mutating func land(_ landing: LandingPages<Cursor, ID>) {
        hasLoaded = true
        next = landing.next
        if landing.purpose != .more {
            (listed, members, pageCount) = ([], [], 0)
            // A list that was requested after the server had created a record decides whether the
            // record belongs to it.
            insertions.removeAll { insertion in insertion.settledAt.map { $0 < landing.load.number } ?? false }
        }
        pageCount += landing.pageCount
        for id in landing.kept where members.insert(id).inserted { listed.append(id) }
    }

    /// Starts a new session: the list is empty, and no page of the former session lands.
    package mutating func beginEpoch() {
        self = Self(logicalClock: logicalClock)
    }
}

// MARK: - Records made here

extension PageStateMachine {
    /// Adds a record at the start of the list, created by a mutation that is not settled.
    ///
    /// - Parameters:
    ///   - id: the record.
    ///   - mutation: the mutation that creates it.
    ///   - isLater: whether another such mutation was made later, so that its record comes first.
    package mutating func insert(
        _ id: ID,
        by mutation: IdempotencyKey,
        before isLater: (IdempotencyKey) -> Bool = { _ in false }
    ) {
        insertions.removeAll { $0.id == id }
        let later = insertions.lastIndex { $0.settledAt == nil && isLater($0.mutation) }
        insertions.insert(Insertion(id: id, mutation: mutation), at: later.map { $0 + 1 } ?? 0)
    }

    /// Returns the mutation that creates the record, or `nil` if it is settled.
    package func insertion(of id: ID) -> IdempotencyKey? {
        insertions.first { $0.id == id && $0.settledAt == nil }?.mutation
    }

    /// The record of the last insertion that is not settled, or `nil` if all are settled.
    package var openInsertion: ID? { insertions.first { $0.settledAt == nil }?.id }

    /// Notes the outcome of a creation.
    package mutating func settleInsertion(of id: ID, isMade: Bool) {
        guard let index = insertions.firstIndex(where: { $0.id == id }) else { return }
        if isMade {
            insertions[index].settledAt = logicalClock.last
        } else {
            insertions.remove(at: index)
        }
    }

    /// A11: Gives a record its new ID, which a page may already contain.
    package mutating func rename(_ old: ID, to new: ID) {
        if insertions.contains(where: { $0.id == new }) {
            // A25: Two creations turned out to be one.
            insertions.removeAll { $0.id == old }
        }
        for index in insertions.indices where insertions[index].id == old { insertions[index].id = new }
        coming?.rename(old, to: new)
        guard members.remove(old) != nil else { return }
        if members.insert(new).inserted {
            listed = listed.map { $0 == old ? new : $0 }
        } else {
            listed.removeAll { $0 == old }
        }
    }
}
