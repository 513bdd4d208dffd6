internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// An in-memory cache of successful responses, for endpoints that ask for it.
///
/// Each response is kept in a partition and given only to requests of the same partition, so users
/// never share responses. A write to a URL removes its responses from all partitions.
final class ResponseCache: Sendable {
    /// The owner of cached responses: the public, or one session while one user is signed in.
    struct Partition: Hashable, Sendable {
        static let everybody = Partition(session: nil, epoch: 0)

        let session: UUID?
        let epoch: Int
    }

    /// The whole request except for the access token, which the partition represents.
    private struct Key: Hashable {
        let partition: Partition
        let request: HTTPRequest

        init(_ request: HTTPRequest, in partition: Partition) {
            self.partition = partition
            var request = request
            if partition != .everybody { request.headerFields[.authorization] = nil }
            self.request = request
        }
    }

    private struct Entry {
        let response: NetworkResponse
        let requestedAt: Duration
        let size: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var size = 0
        var uses = 0
        /// The numbers of the loads under way whose response may be kept.
        var loads: [Key: Set<Int>] = [:]
        var lastLoad = 0

        mutating func remove(_ key: Key) {
            if let entry = entries.removeValue(forKey: key) { size -= entry.size }
        }

        mutating func removeAll(where isObsolete: (Key) -> Bool) {
            for key in loads.keys where isObsolete(key) { loads[key] = nil }
            for key in entries.keys where isObsolete(key) { remove(key) }
        }

        mutating func beginLoad(for key: Key) -> Int {
            lastLoad += 1
            loads[key, default: []].insert(lastLoad)
            return lastLoad
        }

        /// Ends a load, and returns whether its response can be kept.
        ///
        /// A response that counts ends all earlier loads, so that none of them replaces it.
        mutating func endLoad(_ number: Int, for key: Key, hasResponse: Bool) -> Bool {
            guard var left = loads[key], left.remove(number) != nil else { return false }
            if hasResponse { left = left.filter { $0 > number } }
            loads[key] = left.isEmpty ? nil : left
            return hasResponse
        }

        mutating func use(_ key: Key, noOlderThan age: Duration, at now: Duration) -> NetworkResponse? {
            guard let entry = entries[key], now - entry.requestedAt < age else { return nil }
            uses += 1
            entries[key]?.lastUse = uses
            return entry.response
        }

        mutating func insert(_ entry: Entry, for key: Key, limit: Int) {
            guard entry.size <= limit else { return }
            uses += 1
            entries[key] = entry
            entries[key]?.lastUse = uses
            size += entry.size
            while size > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
                remove(oldest)
            }
        }
    }

    private let state = Locked(State())
    private let limit: Int
    private let uptime: Stopwatch

    /// Creates an empty cache for up to `limit` bytes, with ages measured on `clock`.
    init(limit: Int, clock: any Clock<Duration>) {
        self.limit = limit
        uptime = Stopwatch(clock)
    }

    /// Returns a cached response to a request, or else the response of `send`.
    ///
    /// A request with a body is always sent. `age` is the maximum age of a cached response. If it
    /// is `nil`, no cached response is used and the new one is not cached. A new response replaces
    /// the cached one, even if it is not kept because of its status, its fields or `rule`.
    func response(
        to request: HTTPRequest,
        body: Data?,
        in partition: Partition,
        noOlderThan age: Duration?,
        unlessRefusedBy rule: AuthenticationRule,
        send: () async throws -> NetworkResponse
    ) async throws -> NetworkResponse {
        // A write that failed may still have been processed, so its outcome makes no difference.
        defer { if !request.method.isSafe { removeAll(at: request.path) } }
        guard let age, request.method == .get, body == nil else { return try await send() }
        let key = Key(request, in: partition)
        let now = uptime.elapsed
        if let kept = state.withLock({ $0.use(key, noOlderThan: age, at: now) }) { return kept }
        let load = state.withLock { $0.beginLoad(for: key) }
        var response: NetworkResponse?
        defer {
            state.withLock { state in
                // A newer response, a write or a sign-out during the load makes its response
                // obsolete. Of two overlapping loads that end in the other order, either response
                // may be the newer one, so neither is kept.
                let counts = state.endLoad(load, for: key, hasResponse: response != nil)
                guard let response else { return }
                state.remove(key)
                guard counts, response.head.status.kind == .successful, !response.head.forbidsStoring,
                    !rule.isFailure(response.head)
                else { return }
                let size = response.size + request.headerFields.size + (request.path?.utf8.count ?? 0)
                let entry = Entry(response: response, requestedAt: now, size: size, lastUse: 0)
                state.insert(entry, for: key, limit: limit)
            }
        }
        let answer = try await send()
        response = answer
        return answer
    }

    /// Removes the cached responses of the resource at `path`; its pending responses will not be
    /// cached.
    func removeAll(at path: String?) {
        state.withLock { state in state.removeAll { $0.request.path == path } }
    }

    /// Removes the cached responses of a session; its pending responses will not be cached.
    func removeAll(of session: UUID) {
        state.withLock { state in state.removeAll { $0.partition.session == session } }
    }
}

extension NetworkResponse {
    /// The approximate size in memory.
    fileprivate var size: Int { body.count + head.headerFields.size }
}

extension HTTPFields {
    fileprivate var size: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count } }
}

extension HTTPResponse {
    /// Whether the response must not be stored by anyone (RFC 9111 section 5.2.2.5).
    fileprivate var forbidsStoring: Bool {
        (headerFields[.cacheControl] ?? "").split(separator: ",").contains { directive in
            directive.trimmingCharacters(in: .whitespaces).lowercased() == "no-store"
        }
    }
}
