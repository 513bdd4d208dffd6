/// A tab or a window of a ``Browser``.
public struct BrowserWindow: Hashable, Sendable, Decodable {
    let handle: String

    init(handle: String) {
        self.handle = handle
    }

    /// Decodes the handle that the protocol knows the window by.
    public init(from decoder: any Decoder) throws {
        handle = try decoder.singleValueContainer().decode(String.self)
    }
}

extension Browser {
    /// How a new window is shown.
    public enum WindowKind: String, Sendable {
        /// A tab beside the others.
        case tab
        /// A window of its own.
        case window
    }

    private struct NewWindow: Decodable {
        let handle: String
    }

    /// The window that commands go to.
    public var window: BrowserWindow {
        get async throws { try await driver.get("/window") }
    }

    /// All windows, in no order.
    public var windows: Set<BrowserWindow> {
        get async throws { Set(try await driver.get("/window/handles") as [BrowserWindow]) }
    }

    /// Opens an empty window, which shares its cookies with the others.
    ///
    /// Commands still go to the current one.
    public func newWindow(_ kind: WindowKind = .tab) async throws -> BrowserWindow {
        let window: NewWindow = try await driver.post("/window/new", ["type": .string(kind.rawValue)])
        return BrowserWindow(handle: window.handle)
    }

    /// Makes commands go to `window`.
    public func switchTo(_ window: BrowserWindow) async throws {
        try await driver.post("/window", ["handle": .string(window.handle)])
    }

    /// Closes the current window.
    ///
    /// The next command must be ``switchTo(_:)``; closing the last one ends the browser.
    public func closeWindow() async throws {
        try await driver.delete("/window")
    }
}
