internal import BackplaneConcurrency

/// Stored responses in memory, bounded by their size.
final class MemoryResponseStorage: ResponseStorage {
    private struct Entry {
        let response: StoredResponse
        let id: Int
        var lastUse: Int
    }

    private struct State {
        /// The entries by URL and partition; of one key, the latest first.
        var entries: [String: [String: [Entry]]] = [:]
        /// The uses in their order, with those that a later one has replaced.
        var uses: [(key: ResponseKey, id: Int, use: Int)] = []
        /// The index of the oldest use.
        var oldest = 0
        var count = 0
        var size = 0
        var last = 0

        mutating func use(_ key: ResponseKey) -> [StoredResponse] {
            guard let entries = entries[key.url]?[key.partition] else { return [] }
            for index in entries.indices { note(key, index) }
            return entries.map(\.response)
        }

        private mutating func note(_ key: ResponseKey, _ index: Int) {
            last += 1
            guard let id = entries[key.url]?[key.partition]?[index].id else { return }
            entries[key.url]?[key.partition]?[index].lastUse = last
            uses.append((key, id, last))
            if uses.count > 64 + 4 * count { forgetReplacedUses() }
        }

        private mutating func forgetReplacedUses() {
            uses = uses[oldest...].filter { use in isLast(use) }
            oldest = 0
        }

        private func isLast(_ use: (key: ResponseKey, id: Int, use: Int)) -> Bool {
            entries[use.key.url]?[use.key.partition]?.contains { $0.id == use.id && $0.lastUse == use.use } == true
        }

        mutating func insert(_ response: StoredResponse, for key: ResponseKey, limit: Int) {
            last += 1
            let entry = Entry(response: response, id: last, lastUse: 0)
            entries[key.url, default: [:]][key.partition, default: []].insert(entry, at: 0)
            count += 1
            size += response.size + key.size
            if let surplus = entries[key.url]?[key.partition]?.dropFirst(ResponseKey.variants).first {
                remove(key) { $0.id == surplus.id }
            }
            note(key, 0)
            while size > limit, oldest < uses.count {
                let use = uses[oldest]
                oldest += 1
                if isLast(use) { remove(use.key) { $0.id == use.id } }
            }
        }

        mutating func remove(_ key: ResponseKey, where isObsolete: (Entry) -> Bool) {
            guard let all = entries[key.url]?[key.partition] else { return }
            let left = all.filter { !isObsolete($0) }
            count -= all.count - left.count
            for entry in all where isObsolete(entry) { size -= entry.response.size + key.size }
            entries[key.url]?[key.partition] = left.isEmpty ? nil : left
            if entries[key.url]?.isEmpty == true { entries[key.url] = nil }
        }

        mutating func remove(_ partitions: [String: [Entry]]?, of url: String, where isObsolete: (String) -> Bool) {
            for partition in (partitions ?? [:]).keys where isObsolete(partition) {
                remove(ResponseKey(partition: partition, url: url)) { _ in true }
            }
        }
    }

    let source = ResponseSource.memory
    let digestKey = SipKey.random()
    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    func responses(for key: ResponseKey) async -> (responses: [StoredResponse], token: Int64) {
        (state.withLock { $0.use(key) }, 0)
    }

    func replace(
        _ key: ResponseKey,
        since token: Int64,
        matching isObsolete: @escaping @Sendable (StoredResponse) -> Bool,
        by response: StoredResponse?,
        if isCurrent: @escaping @Sendable () -> Bool
    ) async -> ResponseSource.NotStored? {
        state.withLock { state in
            state.remove(key) { isObsolete($0.response) }
            guard let response else { return nil }
            guard isCurrent() else { return .superseded }
            guard response.size + key.size <= limit else { return .tooLarge }
            state.insert(response, for: key, limit: limit)
            return nil
        }
    }

    func remove(url: String) async {
        state.withLock { state in state.remove(state.entries[url], of: url) { _ in true } }
    }

    func remove(partition: String?, prefix: String) {
        state.withLock { state in
            for (url, partitions) in state.entries {
                state.remove(partitions, of: url) { $0 == partition || $0.hasPrefix(prefix) }
            }
        }
    }
}

extension ResponseKey {
    /// The number of bytes that count toward the limit of a store.
    package var size: Int { url.utf8.count }
}
