/// Where a response comes from, as ``NetworkController/requestWithSource(_:)`` tells.
public enum ResponseSource: Hashable, Sendable {
    /// The server, just now.
    case network
    /// The server, just now; the cache has not kept the response, for this reason.
    case notStored(NotStored)
    /// The cache in memory; the response is fresh.
    case memory
    /// The cache in a file; the response is fresh.
    case disk
    /// The cache; the server has just confirmed the response with 304.
    case revalidated
    /// The cache; the response is not fresh, and is served for this reason.
    case stale(Stale)

    /// The reason why a response was not kept.
    public struct NotStored: Hashable, Sendable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        /// The endpoint has no cache, or the request cannot have one: another method than GET, a
        /// body, a condition or a range of its own.
        public static let uncached = NotStored(description: "uncached")
        /// The response or the request says `no-store`.
        public static let noStore = NotStored(description: "noStore")
        /// The response declares no lifetime and has no validator.
        public static let noLifetime = NotStored(description: "noLifetime")
        /// A part of a response, or a status that the cache does not know how to keep.
        public static let status = NotStored(description: "status")
        /// The body is shorter or longer than the response says.
        public static let incomplete = NotStored(description: "incomplete")
        /// The response varies by everything, or removes the fields about caching.
        public static let variesByAll = NotStored(description: "variesByAll")
        /// The response refuses the access token.
        public static let tokenRefused = NotStored(description: "tokenRefused")
        /// A newer response, a write to the URL, or the end of the session came first.
        public static let superseded = NotStored(description: "superseded")
        /// The response is larger than the cache.
        public static let tooLarge = NotStored(description: "tooLarge")
        /// The file of the cache could not be written.
        public static let storageFailed = NotStored(description: "storageFailed")
        /// The request permits only a cached response, and there is none.
        public static let onlyIfCached = NotStored(description: "onlyIfCached")
    }

    /// The reason why a response that is not fresh was served.
    public struct Stale: Hashable, Sendable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        /// A request to the server is under way (`stale-while-revalidate`).
        public static let whileRevalidating = Stale(description: "whileRevalidating")
        /// The server could not answer (`stale-if-error`).
        public static let afterError = Stale(description: "afterError")
        /// The request accepts it (`max-stale`).
        public static let accepted = Stale(description: "accepted")
    }
}
