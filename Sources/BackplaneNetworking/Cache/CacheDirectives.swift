internal import HTTPTypes

/// The directives of the `Cache-Control` field of a request or response (RFC 9111 section 5.2).
///
/// A malformed number and two numbers for one directive count as the more restrictive value.
/// Unknown directives are ignored, and a field that cannot be split counts as `no-store`.
struct CacheDirectives: Hashable, Sendable {
    var noStore = false
    /// Also true for the form with field names, which a cache may treat like the other one.
    var noCache = false
    var mustRevalidate = false
    var mustUnderstand = false
    /// Whether the response has `private` or `public`, which permit a private cache to store it.
    var permitsStoring = false
    var isPublic = false
    var onlyIfCached = false
    var maxAge: Double?
    var staleWhileRevalidate: Double?
    var staleIfError: Double?
    var minFresh: Double?
    /// The staleness that a request accepts; infinite without a number.
    var maxStale: Double?

    /// The largest number of seconds, which a larger one counts as (RFC 9111 section 1.2.2).
    static let longest = 2_147_483_648.0

    init(of fields: HTTPFields) {
        guard let value = fields[.cacheControl] else { return }
        guard let members = FieldList.members(of: value) else {
            noStore = true
            return
        }
        for member in members {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = parts[0].split(separator: " ", omittingEmptySubsequences: false)
            // A space in the name makes the argument malformed, and leaves the directive.
            let argument = words.count > 1 ? "" : parts.count > 1 ? parts[1] : nil
            apply(words[0].lowercased(), argument)
        }
    }

    private mutating func apply(_ name: String, _ argument: Substring?) {
        switch name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "private": permitsStoring = true
        case "public": (permitsStoring, isPublic) = (true, true)
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = smaller(maxAge, Self.seconds(argument) ?? 0)
        case "stale-while-revalidate":
            staleWhileRevalidate = smaller(staleWhileRevalidate, Self.seconds(argument) ?? 0)
        case "stale-if-error": staleIfError = smaller(staleIfError, Self.seconds(argument) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? Self.longest)
        case "max-stale":
            maxStale = smaller(maxStale, argument == nil ? .infinity : Self.seconds(argument) ?? 0)
        default: break
        }
    }

    private func smaller(_ old: Double?, _ new: Double) -> Double { min(old ?? new, new) }

    /// Reads a number of seconds, also as a quoted string, and clamps it.
    static func seconds(_ text: Substring?) -> Double? {
        guard var text else { return nil }
        if text.count > 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Double(text) ?? longest, longest)
    }
}
