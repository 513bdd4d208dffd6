/// The pages of one load that have arrived, and the decision whether another one must follow before
/// they are shown (A25, A26).
struct LandingPages<Cursor, ID: Hashable> {
    let purpose: PageStateMachine<Cursor, ID>.Purpose
    /// The start of the first of these pages.
    let load: LoadStamp
    /// The number of records that must arrive.
    private let count: Int
    /// The records that must be found, because they are shown.
    private var missing: Set<ID>
    /// The number of requests that may follow.
    private var budget: Int
    /// The records that have arrived, each once.
    private var ids: [ID] = []
    /// These records, and those that stay.
    private var members: Set<ID>
    private var isComplete = false
    /// The number of pages that have brought a record.
    private var filled = 0

    /// The number of arrived records that become the list.
    ///
    /// Pages that were requested to find a record, and do not lead to one, are not kept.
    private var keptCount = 0
    /// The number of kept pages that have brought a record.
    private(set) var pageCount = 0
    /// The cursor after the kept pages.
    private(set) var next: Cursor?

    /// Creates a load without pages.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the load.
    ///   - load: the start of the first page.
    ///   - shown: the records that must be found.
    ///   - count: the number of records that must arrive.
    ///   - staying: the records that stay on the list, and do not count.
    ///   - pageCount: the number of pages of the list so far.
    init(
        purpose: PageStateMachine<Cursor, ID>.Purpose,
        load: LoadStamp,
        finding shown: [ID],
        count: Int,
        besides staying: Set<ID>,
        pageCount: Int
    ) {
        (self.purpose, self.load, self.count) = (purpose, load, count)
        (missing, members) = (Set(shown), staying)
        // The server may have moved the records by as many pages.
        budget = 2 * pageCount + 2
    }

    /// The arrived records that become the list.
    var kept: ArraySlice<ID> { ids.prefix(keptCount) }

    /// Whether another page must arrive, if there is one.
    var needsMore: Bool { budget > 0 && (ids.count < count || !missing.isEmpty) }

    func contains(_ id: ID) -> Bool { members.contains(id) }

    mutating func add(_ page: [ID], next: Cursor?) {
        let (wasComplete, arrived, sought) = (isComplete, ids.count, missing.count)
        for id in page where members.insert(id).inserted {
            ids.append(id)
            missing.remove(id)
        }
        if ids.count > arrived { filled += 1 }
        budget -= 1
        isComplete = ids.count >= count
        guard !wasComplete || missing.count < sought else { return }
        (keptCount, pageCount, self.next) = (ids.count, filled, next)
    }

    /// A11: Gives a record its new ID, under which it may have arrived, too.
    mutating func rename(_ old: ID, to new: ID) {
        if missing.remove(old) != nil { missing.insert(new) }
        if let index = ids.firstIndex(of: old) {
            members.remove(old)
            if members.insert(new).inserted {
                ids[index] = new
            } else {
                ids.remove(at: index)
                if index < keptCount { keptCount -= 1 }
            }
        }
        if members.contains(new) { missing.remove(new) }
    }
}
