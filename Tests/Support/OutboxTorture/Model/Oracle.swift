import Foundation

/// The rules D and U as a model: compares what the user did, what the server saw, and what is left.
///
/// It knows nothing of how an outbox works. Its sources are the journals of the clients, the
/// history of the server, and the file and the pages at the end.
struct Oracle {
    /// The operations that one process has enqueued for one user, one after the other.
    struct Block {
        let numbers: Range<Int>
        /// The process.
        let writer: Int
        /// Grows from one process to the next; the same for processes that ran at the same time.
        let generation: Int
    }

    /// The most requests for one operation that the waits between attempts permit.
    static let mostRequests = 200

    let blocks: [Block]
    let history: History
    /// The records of the server, by the ID that the app uses.
    let records: [String: [Int]]
    let endings: [Ending]
    /// The keys in the file.
    let keys: Set<String>
    /// The bytes of all files of the outbox.
    let bytes: Data
    /// Whether the operations of the user may be refused by the disk.
    let mayBeFull: Bool

    // The deeds of the users.
    var operations: [Int: TortureOperation] = [:]
    var saved: Set<Int> = []
    var bases: [Int: Int] = [:]
    var refused: [Int: String] = [:]
    var discarding: Set<Int> = []
    var discarded: Set<Int> = []
    var edited: Set<Int> = []
    var retried: Set<Int> = []
    var resolved: Set<Int> = []

    /// The requests of each operation.
    let exchanges: [Int: [History.Exchange]]

    init(
        blocks: [Block],
        journals: [[JournalEntry]],
        history: History,
        records: [String: [Int]],
        endings: [Ending],
        keys: Set<String>,
        bytes: Data,
        mayBeFull: Bool
    ) {
        (self.blocks, self.history, self.records, self.endings) = (blocks, history, records, endings)
        (self.keys, self.bytes, self.mayBeFull) = (keys, bytes, mayBeFull)
        exchanges = Dictionary(grouping: history.exchanges) { $0.operation.number }
        for entry in journals.joined() { read(entry) }
    }

    private mutating func read(_ entry: JournalEntry) {
        switch entry {
        case .saving(let operation, let base):
            operations[operation.number] = operation
            bases[operation.number] = base
        case .saved(let number): saved.insert(number)
        case .refused(let number, let code): refused[number] = code
        case .discarding(let number): discarding.insert(number)
        case .discarded(let numbers): discarded.formUnion(numbers)
        case .editing(let number): edited.insert(number)
        case .retrying(let number): retried.insert(number)
        case .resolving(let number): resolved.insert(number)
        }
    }

    /// Returns all breaches, each with what is concerned.
    func violations() -> [(violation: Violation, detail: String)] {
        var found: [(Violation, String)] = []
        func check(_ violation: Violation, _ numbers: some Sequence<Int>) {
            for number in Set(numbers).sorted() { found.append((violation, story(of: number))) }
        }
        check(.lost, lost)
        check(.duplicated, exchanges.filter { $0.value.count { $0.execution != nil } > 1 }.keys)
        check(.reordered, reordered)
        check(.early, early)
        check(.mixedUsers, each { $0.user != nil && $0.user != $0.operation.account })
        check(.overwritten, overwritten)
        check(.resurrected, each { history.discards[$0.operation.number, default: .max] < $0.arrival })
        check(.notSaved, each { refused[$0.operation.number] != nil && $0.execution != nil })
        check(.refusedSave, refusedWithoutReason)
        check(.changedBytes, changedBytes)
        check(.stuck, stuck)
        check(.traces, traces)
        check(.busy, exchanges.filter { $0.value.count > Self.mostRequests }.keys)
        for breach in history.breaches {
            let record = operations[breach.number]?.record
            let others = operations.values.filter { $0.record == record && $0.sort == .creation }.map(\.number)
            let stories = Set([breach.number] + others).sorted().map(story)
            found.append((breach.violation, stories.joined(separator: "; ")))
        }
        return found + shown.map { (.shown, $0) }
    }

    // MARK: Effects

    private func execution(of number: Int) -> Int? { exchanges[number]?.compactMap(\.execution).min() }

    private func each(_ isBreach: (History.Exchange) -> Bool) -> [Int] {
        history.exchanges.filter(isBreach).map(\.operation.number)
    }

    /// Saved operations that are neither carried out, nor in the file, nor discarded.
    private var lost: [Int] {
        let left = Set(leftovers.map(\.operation.number))
        return saved.filter { execution(of: $0) == nil && !left.contains($0) && !mayBeDiscarded($0) }
    }

    /// Whether the user has decided to discard the operation, or one that it needs.
    private func mayBeDiscarded(_ number: Int) -> Bool {
        if discarding.contains(number) || discarded.contains(number) { return true }
        return operations[number]?.after.map(mayBeDiscarded) ?? false
    }

    /// Keys whose requests differ, unless the server has said that it has not carried them out, and
    /// the user or a question has had them sent again.
    ///
    /// A condition may be left out, after a change without a tag. A request that the server has
    /// refused before it looked for the key counts as never sent.
    private var changedBytes: [Int] {
        let sent = history.exchanges.filter { $0.status != 401 && $0.status != 426 }
        return Dictionary(grouping: sent) { $0.key }.values.compactMap { attempts in
            let number = attempts[0].operation.number
            let isChanged = zip(attempts, attempts.dropFirst()).contains { before, after in
                let isOther = after.condition != nil && after.condition != before.condition
                return (isOther || before.request != after.request)
                    && !(before.isRefusal && retried.contains(number)) && !history.absences.contains(number)
            }
            return isChanged ? number : nil
        }
    }

    // MARK: Order

    /// Operations of which a request arrived before an earlier one of their entity was carried out.
    private var reordered: [Int] {
        let lines = Dictionary(grouping: operations.values) { "\($0.account)/\($0.entity)" }
        // A list with `insertsInOrder` is a line, too, for all creations of a user.
        let lists = Dictionary(grouping: operations.values.filter { $0.sort == .creation }) {
            $0.account
        }
        return lines.values.flatMap(overtaking) + lists.values.flatMap(overtaking)
    }

    private func block(of number: Int) -> Block? { blocks.first { $0.numbers.contains(number) } }

    private func overtaking(in line: [TortureOperation]) -> [Int] {
        line.compactMap { later in
            guard let first = exchanges[later.number]?.map(\.arrival).min(), let block = block(of: later.number)
            else { return nil }
            let isOvertaking = line.contains { earlier in
                guard let other = self.block(of: earlier.number), saved.contains(earlier.number),
                    !mayLeaveLine(earlier.number)
                else { return false }
                let isEarlier =
                    other.writer == block.writer
                    ? earlier.number < later.number : other.generation < block.generation
                return isEarlier && execution(of: earlier.number) ?? .max > first
            }
            return isOvertaking ? later.number : nil
        }
    }

    /// Whether the operation was refused or discarded, or one that it needs, so that it may be sent
    /// later.
    private func mayLeaveLine(_ number: Int) -> Bool {
        if (exchanges[number] ?? []).contains(where: \.isRefusal) || mayBeDiscarded(number) { return true }
        return operations[number]?.after.map(mayLeaveLine) ?? false
    }

    /// Operations of which a request arrived before the one that they need was carried out.
    private var early: [Int] {
        operations.values.compactMap { operation in
            guard let needed = operation.after, let first = exchanges[operation.number]?.map(\.arrival).min()
            else { return nil }
            return execution(of: needed) ?? .max > first ? operation.number : nil
        }
    }

    // MARK: Versions

    /// Changes that were carried out without a condition, though others had changed the record
    /// after the user had seen it.
    private var overwritten: [Int] {
        history.exchanges.compactMap { exchange in
            let operation = exchange.operation
            guard exchange.execution != nil, exchange.condition == nil, let base = bases[operation.number],
                let record = operations[operation.number]?.record, record.hasSuffix("-r0") || record.hasSuffix("-r3"),
                // The user has decided to write anyway, or the outbox cannot know the version.
                !retried.contains(operation.number), operation.edition == 0,
                !history.findings.contains(where: { operations[$0]?.record == record })
            else { return nil }
            return exchange.foreignChanges.contains { $0 > base } ? operation.number : nil
        }
    }

    // MARK: The file

    private var leftovers: [Ending.Leftover] { endings.flatMap(\.left) }

    /// Operations in the file that nothing explains.
    private var stuck: [Int] {
        let byAccount = Dictionary(grouping: leftovers) { $0.operation.account }
        return leftovers.filter { leftover in
            let number = leftover.operation.number
            if execution(of: number) != nil || discarded.contains(number) || refused[number] != nil { return true }
            switch leftover.state {
            case "refused", "conflict":
                let last = exchanges[number]?.last { $0.status != nil }?.status
                return leftover.operation.decision(after: last) != .leave
            case "queued":
                let others = byAccount[leftover.operation.account] ?? []
                return !others.contains { isWaiting(leftover.operation, for: $0) }
            default: return true
            }
        }.map(\.operation.number)
    }

    /// Whether an operation may wait for another one that is left.
    private func isWaiting(_ operation: TortureOperation, for other: Ending.Leftover) -> Bool {
        if operation.number == other.operation.number { return false }
        if operation.after == other.operation.number { return true }
        guard operation.entity == other.operation.entity else { return false }
        // A step waits for a refused one, a change for a conflict, and anything for what waits.
        return other.operation.sort == .step || other.state == "conflict" || other.state == "queued"
    }

    /// Saves that failed though nothing prevented them.
    private var refusedWithoutReason: [Int] {
        refused.keys.filter { number in
            if mayBeFull { return false }
            guard let needed = operations[number]?.after else { return true }
            return !mayBeDiscarded(needed) && !edited.contains(needed) && saved.contains(needed)
        }
    }

    /// Operations whose words are still in the files, though they are carried out, discarded or
    /// replaced.
    private var traces: [Int] {
        let words = Set(leftovers.map(\.operation.words))
        var found: [Int] = []
        var rest = bytes[...]
        while let start = rest.range(of: Data("canary.".utf8)) {
            rest = rest[start.upperBound...]
            let parts = String(decoding: rest.prefix(40), as: UTF8.self).split(separator: ".", maxSplits: 3)
            guard parts.count > 3, let number = Int(parts[1]) else { continue }
            if !words.contains("canary.\(parts[0]).\(parts[1]).\(parts[2]).") { found.append(number) }
        }
        return found
    }

    // MARK: Pages

    /// The differences between the pages, the server and the file.
    private var shown: [String] {
        var found: [String] = []
        if Set(leftovers.map(\.key)) != keys {
            found.append("listed \(leftovers.map(\.key).sorted()), in the file \(keys.sorted())")
        }
        for ending in endings where !ending.isExported { found.append("an export without \(ending.left.map(\.key))") }
        for (ending, page) in endings.flatMap({ ending in ending.pages.map { (ending, $0) } }) {
            let left = ending.left.filter {
                $0.operation.record == page.record && ($0.operation.sort == .edit || $0.operation.sort == .creation)
            }
            if Set(left.map(\.operation.number)) != Set(page.pending) {
                found.append("\(page.record) shows as pending \(page.pending), the file has \(left)")
            }
            guard !page.record.hasPrefix("new-") else { continue }
            let visible = left.filter { $0.state == "queued" || $0.state == "needsReview" }.map(\.operation.number)
            let numbers = (records[page.record] ?? []) + visible
            guard page.numbers != numbers else { continue }
            let stories = left.map { story(of: $0.operation.number) }
            found.append("\(page.record) shows \(page.numbers) for \(numbers), beside \(stories)")
        }
        return found
    }

    // MARK: Text

    /// Everything about an operation, for a person.
    private func story(of number: Int) -> String {
        var words = ["\(number)"]
        if let operation = operations[number] {
            words += ["\(operation.account) \(operation.sort) of \(operation.entity)"]
            if let record = operation.record { words.append("record \(record)") }
            if let after = operation.after { words.append("after \(after)") }
        }
        words.append(saved.contains(number) ? "saved" : refused[number].map { "refused (\($0))" } ?? "saving")
        if let base = bases[number] { words.append("base \(base)") }
        if discarding.contains(number) { words.append("discarded") }
        if edited.contains(number) { words.append("edited") }
        if retried.contains(number) { words.append("retried") }
        for exchange in (exchanges[number] ?? []).suffix(12) {
            words.append("[\(exchange.description)]")
        }
        words += leftovers.filter { $0.operation.number == number }.map { "left as \($0.state)" }
        return words.joined(separator: ", ")
    }
}
