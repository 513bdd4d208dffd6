internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// A private HTTP cache: it carries out the decisions of ``CachePolicy`` with a store (RFC 9111).
///
/// It stands below the endpoints, sees responses of every status, and gives a response only to
/// requests of the same partition.
final class ResponseCache: Sendable {
    typealias Send = @Sendable (HTTPRequest) async throws -> NetworkResponse

    /// Runs `work` with a way to send requests in limited time, and then `end`, after returning.
    typealias Background = (
        _ work: @escaping @Sendable (Send) async throws -> Void, _ end: @escaping @Sendable () -> Void
    ) -> Void

    /// A request that the cache may answer.
    private struct Lookup: Sendable {
        let request: HTTPRequest
        let key: ResponseKey
        let wish: CacheDirectives
        let use: CachePolicy.Use
        let rule: AuthenticationRule
        let token: Int64
    }

    private let storage: any ResponseStorage
    private let origin: String
    private let isHeuristic: Bool
    private let ledger = Locked(LoadLedger())
    private let revalidations = Locked(Set<ResponseKey>())
    private let start: Double
    private let uptime: Stopwatch

    /// Creates a cache for the responses of one origin.
    ///
    /// The clock on the wall is read once, and the time in the process is monotonic (H4).
    init(_ options: NetworkOptions, of base: BaseURL) {
        storage = options.cache.open(options.usesHeuristicLifetimes)
        isHeuristic = options.usesHeuristicLifetimes
        origin = "\(base.scheme)://\(base.authority.lowercased())"
        // Whole seconds, as in header fields, which also makes sums of times exact.
        start = options.date().timeIntervalSince1970.rounded(.down)
        uptime = Stopwatch(options.clock)
    }

    private var now: Double { start + uptime.elapsed / .seconds(1) }

    // MARK: Requests

    /// Returns a cached response to a request, or else the response of `send`.
    ///
    /// - Parameters:
    ///   - request: The request, without its access token.
    ///   - body: The body of the request.
    ///   - partition: The owner of the response.
    ///   - use: The way in which the endpoint uses the cache, or `nil` if it does not.
    ///   - rule: The rule for responses that refuse the access token, which are not stored.
    ///   - send: Sends a request to the server.
    ///   - background: Runs a closure with another `send`.
    /// - Returns: The response, with its source.
    /// - Throws: The error of `send`.
    func response(
        to request: HTTPRequest,
        body: Data?,
        in partition: CachePartition,
        use: CachePolicy.Use?,
        unlessRefusedBy rule: AuthenticationRule,
        send: Send,
        inBackground background: Background
    ) async throws -> NetworkResponse {
        guard request.method.isSafe else { return try await write(request, send) }
        guard let use, CachePolicy.isCacheable(request, body: body) else {
            return try await send(request).from(.notStored(.uncached))
        }
        let key = key(of: request, in: partition)
        let (stored, token) = await storage.responses(for: key)
        let lookup = Lookup(
            request: request,
            key: key,
            wish: CacheDirectives(of: request.headerFields),
            use: use,
            rule: rule,
            token: token
        )
        let selected = stored.first { matches($0, lookup) }
        switch CachePolicy.verdict(on: selected, lookup.wish, use, now: now) {
        case .serve(let stored, let age, let stale):
            if stale == .whileRevalidating { revalidate(lookup, inBackground: background) }
            return NetworkResponse(stored, age: age, from: stale.map { .stale($0) } ?? storage.source)
        case .refuse:
            let head = HTTPResponse(status: .gatewayTimeout)
            return NetworkResponse(head: head, body: Data(), source: .notStored(.onlyIfCached))
        case .load(let validated):
            return try await load(lookup, validating: validated, orElse: selected, send)
        }
    }

    private func key(of request: HTTPRequest, in partition: CachePartition) -> ResponseKey {
        var name = partition.name
        // Credentials of the app's own make an owner, which ends with the process.
        if partition == .everybody, let credentials = request.headerFields[.authorization] {
            let (bytes, key) = (Array(credentials.utf8), storage.digestKey)
            let digests = [key.digest(bytes), SipKey(first: key.second, second: ~key.first).digest(bytes)]
            name = CachePartition.temporary + digests.map { String($0, radix: 16) }.joined(separator: "-")
        }
        return ResponseKey(partition: name, url: origin + (request.path ?? ""))
    }

    private func matches(_ stored: StoredResponse, _ lookup: Lookup) -> Bool {
        let (fields, key) = (lookup.request.headerFields, storage.digestKey)
        guard stored.variant.matches(fields, key: key) else { return false }
        // With an age of the endpoint's own, servers need not say what a response varies by.
        guard case .upTo = lookup.use else { return true }
        return stored.variant.fingerprint == ResponseVariant.fingerprint(of: fields, key)
    }

    // MARK: Loads

    /// Asks the server, and stores its response.
    private func load(
        _ lookup: Lookup,
        validating validated: StoredResponse?,
        orElse stored: StoredResponse?,
        _ send: Send
    ) async throws -> NetworkResponse {
        let load = ledger.withLock { $0.begin(lookup.key) }
        defer { ledger.withLock { $0.end(load, of: lookup.key) } }
        var requestedAt = now
        var answer: NetworkResponse
        do {
            answer = try await send(validated.map { CachePolicy.validating(lookup.request, $0) } ?? lookup.request)
            if let validated, answer.head.status == .notModified {
                if let revalidated = await confirm(validated, by: answer.head, lookup, load, requestedAt) {
                    return revalidated
                }
                // The 304 is about another response.
                requestedAt = now
                answer = try await send(lookup.request)
            }
        } catch let error as NetworkError where error.code == .transportFailed {
            if let stale = staleResponse(stored, lookup) { return stale }
            throw error
        }
        if answer.head.status.kind == .serverError, let stale = staleResponse(stored, lookup) { return stale }
        return await store(answer, lookup, load, requestedAt)
    }

    private func staleResponse(_ stored: StoredResponse?, _ lookup: Lookup) -> NetworkResponse? {
        guard let stored, CachePolicy.permits(stored, afterErrorAt: now, lookup.wish, lookup.use) else { return nil }
        return NetworkResponse(stored, age: stored.freshness.age(at: now), from: .stale(.afterError))
    }

    /// Updates a stored response after a 304, or returns `nil` if the 304 is about another one.
    private func confirm(
        _ stored: StoredResponse,
        by head: HTTPResponse,
        _ lookup: Lookup,
        _ load: Int,
        _ requestedAt: Double
    ) async -> NetworkResponse? {
        guard let fields = CachePolicy.merged(stored.fields, with: head.headerFields) else { return nil }
        let head = HTTPResponse(status: stored.status, headerFields: fields)
        let answer = NetworkResponse(head: head, body: stored.body)
        return await store(answer, lookup, load, requestedAt, isConfirmed: true)
    }

    /// Stores a response in place of the ones that it makes obsolete, and returns it with its
    /// source.
    private func store(
        _ answer: NetworkResponse,
        _ lookup: Lookup,
        _ load: Int,
        _ requestedAt: Double,
        isConfirmed: Bool = false
    ) async -> NetworkResponse {
        let (request, key, receivedAt) = (lookup.request.headerFields, lookup.key, now)
        let fields = answer.head.headerFields
        let freshness = Freshness(
            of: fields,
            status: answer.head.status.code,
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            isHeuristic: isHeuristic
        )
        var reason = CachePolicy.reasonNotToStore(answer, freshness, lookup.wish, lookup.use)
        if lookup.rule.isFailure(answer.head) { reason = .tokenRefused }
        var response: StoredResponse?
        if reason == nil, let variant = ResponseVariant(of: fields, to: request, key: storage.digestKey) {
            response = StoredResponse(
                status: answer.head.status,
                fields: CachePolicy.storable(fields),
                body: answer.body,
                requestedAt: requestedAt,
                receivedAt: receivedAt,
                variant: variant,
                isHeuristic: isHeuristic
            )
        }
        // An error of the server does not tell that its earlier response is obsolete.
        guard response != nil || answer.head.status.kind != .serverError else {
            return answer.from(.notStored(reason ?? .status))
        }
        // A load that ends after a newer one has ended may have the older response, so neither is
        // kept (N27).
        ledger.withLock { $0.receive(load, of: key) }
        let refusal = await storage.replace(
            key,
            since: lookup.token,
            matching: { [self] in matches($0, lookup) },
            by: response,
            if: { [ledger] in ledger.withLock { $0.isCurrent(load, of: key) } }
        )
        if let failure = reason ?? refusal { return answer.from(.notStored(failure)) }
        guard isConfirmed else { return answer }
        return NetworkResponse(head: answer.head, body: answer.body, source: .revalidated)
    }

    /// Asks the server about a stale response that was served; one such request runs for a URL.
    private func revalidate(_ lookup: Lookup, inBackground background: Background) {
        guard revalidations.withLock({ $0.insert(lookup.key).inserted }) else { return }
        let work: @Sendable (Send) async throws -> Void = { send in
            // A request like this one may have ended since the response was served.
            let stored = await self.storage.responses(for: lookup.key).responses.first { self.matches($0, lookup) }
            guard let stored,
                case .serve(_, _, .whileRevalidating) =
                    CachePolicy.verdict(on: stored, lookup.wish, lookup.use, now: self.now)
            else { return }
            let validated = stored.canBeValidated ? stored : nil
            _ = try await self.load(lookup, validating: validated, orElse: nil, send)
        }
        background(work) { self.revalidations.withLock { _ = $0.remove(lookup.key) } }
    }

    // MARK: Invalidation

    /// Sends a request that changes something, and removes the responses that it makes invalid.
    private func write(_ request: HTTPRequest, _ send: Send) async throws -> NetworkResponse {
        do {
            let answer = try await send(request)
            await remove(CachePolicy.invalidatedPaths(by: request, answer.head))
            return answer.from(.notStored(.uncached))
        } catch {
            // It may have been carried out all the same.
            await remove(CachePolicy.invalidatedPaths(by: request, nil))
            throw error
        }
    }

    /// Removes the responses at some paths from all partitions; loads under way will not be stored.
    func remove(_ paths: [String]) async {
        for url in paths.map({ origin + $0 }) {
            ledger.withLock { $0.revoke { $0.url == url } }
            await storage.remove(url: url)
        }
    }

    /// Removes the responses of a session before any later request is answered; loads under way
    /// will not be stored.
    func removeAll(of session: UUID, account: String?) {
        let name = account.map { CachePartition.account($0).name }
        let prefix = "\(CachePartition.temporary)\(session):"
        ledger.withLock { $0.revoke { $0.partition == name || $0.partition.hasPrefix(prefix) } }
        storage.remove(partition: name, prefix: prefix)
    }
}

extension NetworkResponse {
    fileprivate init(_ stored: StoredResponse, age: Double, from source: ResponseSource) {
        self.init(head: stored.head(age: age), body: stored.body, source: source)
    }

    fileprivate func from(_ source: ResponseSource) -> NetworkResponse {
        NetworkResponse(head: head, body: body, source: source)
    }
}
