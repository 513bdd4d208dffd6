internal import HTTPTypes

/// How long a stored response is fresh, and how old it was when it arrived (RFC 9111 section 4.2).
///
/// Times are seconds since 1970.
struct Freshness: Sendable {
    let directives: CacheDirectives
    /// The time for which the response is fresh, counted from its generation at the server.
    let lifetime: Double
    /// Whether the response itself tells its lifetime.
    let isExplicit: Bool
    private let initialAge: Double
    private let receivedAt: Double

    init(of fields: HTTPFields, status: Int, requestedAt: Double, receivedAt: Double, isHeuristic: Bool) {
        directives = CacheDirectives(of: fields)
        self.receivedAt = receivedAt
        let date = fields[.date].flatMap { HTTPDate($0, now: receivedAt)?.seconds } ?? receivedAt
        let declared = Self.lifetime(directives, fields, date: date, now: receivedAt)
        isExplicit = declared != nil
        lifetime =
            declared
            ?? (isHeuristic ? Self.heuristicLifetime(directives, fields, status, date: date, now: receivedAt) : 0)
        // Section 4.2.3. Only the first `Age` counts, and an invalid one is ignored (section 5.1).
        let age = fields[.age].flatMap { FieldList.members(of: $0)?.first }.flatMap { CacheDirectives.seconds($0) }
        initialAge = max(0, receivedAt - date, (age ?? 0) + max(0, receivedAt - requestedAt))
    }

    /// Returns the lifetime that the response declares; `nil` if there is none (section 4.2.1).
    ///
    /// `s-maxage` is for shared caches.
    private static func lifetime(
        _ directives: CacheDirectives,
        _ fields: HTTPFields,
        date: Double,
        now: Double
    ) -> Double? {
        if let maxAge = directives.maxAge { return maxAge }
        guard let expires = fields[.expires] else { return nil }
        // An invalid date means that the response has expired (section 5.3).
        guard let end = HTTPDate(expires, now: now)?.seconds else { return 0 }
        return min(max(0, end - date), CacheDirectives.longest)
    }

    /// Returns a tenth of the time since the last change, up to a day (section 4.2.2).
    private static func heuristicLifetime(
        _ directives: CacheDirectives,
        _ fields: HTTPFields,
        _ status: Int,
        date: Double,
        now: Double
    ) -> Double {
        guard CachePolicy.isHeuristicallyCacheable(status) || directives.isPublic,
            let changed = fields[.lastModified].flatMap({ HTTPDate($0, now: now)?.seconds })
        else { return 0 }
        return min(max(0, date - changed) / 10, 86_400)
    }

    /// Returns the age at a time; infinite if the clock has been set back since the response
    /// arrived.
    ///
    /// A process begins to count at a whole second, so the time of another one may differ by a
    /// second.
    func age(at now: Double) -> Double {
        now < receivedAt - 1 ? .infinity : initialAge + max(0, now - receivedAt)
    }
}
