/// A cookie that a ``Browser`` holds.
public struct BrowserCookie: Hashable, Sendable, Decodable {
    /// The cookie's name.
    public let name: String
    /// The cookie's value.
    public let value: String
    /// The path that the cookie is sent to.
    public let path: String
    /// The domain that the cookie is sent to.
    public let domain: String
    /// Whether the cookie is hidden from scripts.
    public let httpOnly: Bool
    /// Whether the cookie is sent over TLS only.
    public let secure: Bool
    /// `Strict`, `Lax` or `None`.
    public let sameSite: String?
}

extension Browser {
    /// The cookies that a request for the current page sends.
    public var cookies: [BrowserCookie] {
        get async throws { try await driver.get("/cookie") }
    }

    /// Deletes a cookie of the current page, if the cookie exists.
    public func deleteCookie(_ name: String) async throws {
        try await driver.delete("/cookie/\(name)")
    }

    /// Deletes all cookies of the current page.
    public func deleteAllCookies() async throws {
        try await driver.delete("/cookie")
    }
}
