internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// The decisions of a private cache about a request, a stored response and the time (RFC 9111,
/// RFC 5861).
///
/// They are functions of values only: nothing is read, sent or stored here.
enum CachePolicy {
    /// The decision of a cache about a request.
    enum Verdict: Sendable {
        /// Serve the stored response, which is fresh or whose staleness is permitted.
        case serve(StoredResponse, age: Double, ResponseSource.Stale?)
        /// Ask the server, with the validators of a stored response if there are some.
        case load(validating: StoredResponse?)
        /// Respond with 504, because the request forbids to ask the server (section 5.2.1.7).
        case refuse
    }

    /// The way in which an endpoint uses the cache.
    enum Use: Hashable, Sendable {
        /// By the fields of requests and responses.
        case standard
        /// For this time since the request, whatever lifetime the response declares.
        case upTo(Double)
    }

    // MARK: Requests

    /// Whether a request can be answered from a cache (section 3 and 4).
    ///
    /// A request with its own condition or range expects the server's own answer.
    static func isCacheable(_ request: HTTPRequest, body: Data?) -> Bool {
        request.method == .get && body == nil
            && !request.headerFields.contains { conditions.contains($0.name) }
    }

    private static let conditions: Set<HTTPField.Name> = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range,
    ]

    /// Returns the decision about a request and the stored response that was selected for it
    /// (section 4).
    static func verdict(
        on stored: StoredResponse?,
        _ wish: CacheDirectives,
        _ use: Use,
        now: Double
    ) -> Verdict {
        let miss = wish.onlyIfCached ? Verdict.refuse : .load(validating: nil)
        guard let stored, !wish.noStore else { return miss }
        let (age, lifetime) = (age(of: stored, use, at: now), lifetime(of: stored, use))
        // A fresh response that was validated a moment ago has age zero.
        let isWanted = !wish.noCache && age <= wish.maxAge ?? .infinity
        if isWanted, use != .standard || !stored.freshness.directives.noCache {
            if age < lifetime, lifetime - age >= wish.minFresh ?? 0 { return .serve(stored, age: age, nil) }
            let staleness = age - lifetime
            if permitsStale(stored, use), wish.minFresh == nil {
                if staleness <= wish.maxStale ?? -1 { return .serve(stored, age: age, .accepted) }
                if staleness <= stored.freshness.directives.staleWhileRevalidate ?? -1, !wish.onlyIfCached {
                    return .serve(stored, age: age, .whileRevalidating)
                }
            }
        }
        return wish.onlyIfCached ? .refuse : .load(validating: stored.canBeValidated ? stored : nil)
    }

    /// Whether a stale response may ever be served without asking the server (section 4.2.4).
    private static func permitsStale(_ stored: StoredResponse, _ use: Use) -> Bool {
        let directives = stored.freshness.directives
        return use == .standard && !directives.mustRevalidate && !directives.noCache
    }

    /// Whether a stored response may be served because the server could not answer (RFC 5861
    /// section 4).
    static func permits(_ stored: StoredResponse, afterErrorAt now: Double, _ wish: CacheDirectives, _ use: Use) -> Bool
    {
        let age = age(of: stored, use, at: now)
        guard permitsStale(stored, use), !wish.noCache, !wish.noStore, age <= wish.maxAge ?? .infinity else {
            return false
        }
        return age - stored.freshness.lifetime <= stored.freshness.directives.staleIfError ?? -1
    }

    private static func age(of stored: StoredResponse, _ use: Use, at now: Double) -> Double {
        if use == .standard { return stored.freshness.age(at: now) }
        return now < stored.receivedAt - 1 ? .infinity : max(0, now - stored.requestedAt)
    }

    private static func lifetime(of stored: StoredResponse, _ use: Use) -> Double {
        guard case .upTo(let age) = use else { return stored.freshness.lifetime }
        return stored.status.kind == .successful ? age : 0
    }

    /// Returns a request with the validators of a stored response (section 4.3.1).
    static func validating(_ request: HTTPRequest, _ stored: StoredResponse) -> HTTPRequest {
        var request = request
        request.headerFields[.ifNoneMatch] = stored.fields[.eTag]
        request.headerFields[.ifModifiedSince] = stored.fields[.lastModified]
        return request
    }

    // MARK: Responses

    /// Returns the reason not to store a response, or `nil` if it can be stored (section 3).
    static func reasonNotToStore(
        _ response: NetworkResponse,
        _ freshness: Freshness,
        _ wish: CacheDirectives,
        _ use: Use
    ) -> ResponseSource.NotStored? {
        let (status, fields, directives) = (response.head.status, response.head.headerFields, freshness.directives)
        // A validator that was not asked for makes no sense, and ranges are not put together.
        guard status.kind != .informational, status.code != 206, status.code != 304 else { return .status }
        if wish.noStore { return .noStore }
        if directives.mustUnderstand {
            guard isUnderstood(status.code) else { return .status }
        } else if directives.noStore {
            return .noStore
        }
        guard isComplete(response) else { return .incomplete }
        guard ResponseVariant.names(in: fields) != nil, !hidesDirectives(fields) else { return .variesByAll }
        if case .upTo = use, status.kind == .successful { return nil }
        let isPermitted = freshness.isExplicit || directives.permitsStoring || isHeuristicallyCacheable(status.code)
        guard isPermitted else { return .status }
        let canBeUsed = freshness.lifetime > 0 || fields[.eTag] != nil || fields[.lastModified] != nil
        let mayBeStale = directives.staleWhileRevalidate ?? directives.staleIfError != nil
        return canBeUsed || freshness.isExplicit && mayBeStale ? nil : .noLifetime
    }

    /// Whether a response may get a lifetime without declaring one (RFC 9110 section 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether the cache knows what the status demands of it (RFC 9111 section 5.2.2.3).
    private static func isUnderstood(_ status: Int) -> Bool {
        isHeuristicallyCacheable(status) || [302, 303, 307, 400, 401, 403, 451, 500, 502, 503, 504].contains(status)
    }

    /// Whether the body has the declared length.
    ///
    /// The transport has decoded an encoded body, so its length says nothing.
    private static func isComplete(_ response: NetworkResponse) -> Bool {
        let fields = response.head.headerFields
        guard fields[.contentEncoding] == nil, let length = fields[.contentLength] else { return true }
        return FieldList.members(of: length)?.allSatisfy { $0 == String(response.body.count) } == true
    }

    /// Whether `Connection` names a field that decides about caching, so that it would be lost.
    private static func hidesDirectives(_ fields: HTTPFields) -> Bool {
        let deciding: [HTTPField.Name] = [.cacheControl, .expires, .date, .age, .vary, .eTag, .lastModified]
        let named = connectionOptions(in: fields)
        return deciding.contains { named.contains($0.canonicalName) }
    }

    /// Returns the fields to store: all but those for one connection (section 3.1).
    static func storable(_ fields: HTTPFields) -> HTTPFields {
        let named = connectionOptions(in: fields)
        guard !named.isEmpty || fields.contains(where: { hopByHop.contains($0.name.canonicalName) }) else {
            return fields
        }
        var kept = HTTPFields()
        for field in fields where !hopByHop.contains(field.name.canonicalName) {
            if !named.contains(field.name.canonicalName) { kept.append(field) }
        }
        return kept
    }

    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func connectionOptions(in fields: HTTPFields) -> Set<String> {
        guard let value = fields[.connection] else { return [] }
        return Set((FieldList.members(of: value) ?? []).map { $0.lowercased() })
    }

    /// Returns the fields of a stored response after a 304 for it, or `nil` if the 304 is about
    /// another response (section 3.2, 4.3.4).
    static func merged(_ stored: HTTPFields, with update: HTTPFields) -> HTTPFields? {
        if let tag = update[.eTag], tag.weakened != stored[.eTag]?.weakened { return nil }
        if stored[.eTag] == nil, let date = update[.lastModified], date != stored[.lastModified] { return nil }
        if update[.vary] != nil, ResponseVariant.names(in: update) != ResponseVariant.names(in: stored) { return nil }
        guard !hidesDirectives(update) else { return nil }
        // The old age and date say nothing about the response that has just been confirmed.
        var merged = stored
        merged[.age] = nil
        merged[.date] = nil
        let fields = storable(update)
        for name in Set(fields.map(\.name)) where !keptByStored.contains(name) {
            merged[fields: name] = fields[fields: name]
        }
        return merged
    }

    private static let keptByStored: Set<HTTPField.Name> = [.contentLength, .contentEncoding, .contentRange]

    // MARK: Invalidation

    /// Returns the paths, with queries, whose stored responses a request has made invalid
    /// (section 4.4).
    ///
    /// A request that may have been carried out counts, and a refused one does not. `response` is
    /// `nil` if none arrived.
    static func invalidatedPaths(by request: HTTPRequest, _ response: HTTPResponse?) -> [String] {
        guard !request.method.isSafe, let path = request.path else { return [] }
        guard let response else { return [path] }
        let outcome = RequestOutcome(after: .response(response.status.code))
        guard outcome == .carriedOut || outcome == .unknown else { return [] }
        let locations = [HTTPField.Name.location, .contentLocation].compactMap { response.headerFields[$0] }
        return [path] + locations.compactMap { sameOriginPath(of: $0, from: request) }
    }

    private static func sameOriginPath(of location: String, from request: HTTPRequest) -> String? {
        guard let base = URL(string: "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"),
            let url = URL(string: location, relativeTo: base)?.absoluteURL,
            url.scheme?.lowercased() == base.scheme?.lowercased(), url.host?.lowercased() == base.host?.lowercased(),
            url.port ?? url.standardPort == base.port ?? base.standardPort,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        return path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}

extension URL {
    fileprivate var standardPort: Int { scheme?.lowercased() == "http" ? 80 : 443 }
}

extension String {
    /// An entity tag without its mark for weakness (RFC 9110 section 8.8.3.2).
    fileprivate var weakened: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
