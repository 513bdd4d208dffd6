/// A tab or a window of a ``Browser``.
public struct BrowserWindow: Hashable, Sendable, Decodable {
    let handle: String

    init(handle: String) {
        self.handle = handle
    }

    /// Decodes the protocol's handle of the window.
    public init(from decoder: any Decoder) throws {
        handle = try decoder.singleValueContainer().decode(String.self)
    }
}

extension Browser {
    /// The kind of a new window.
    public enum WindowKind: String, Sendable {
        /// A tab beside the others.
        case tab
        /// A separate window.
        case window
    }

    private struct NewWindow: Decodable {
        let handle: String
    }

    /// The window that commands go to.
    public var window: BrowserWindow {
        get async throws { try await driver.get("/window") }
    }

    /// All windows, unordered.
    public var windows: Set<BrowserWindow> {
        get async throws { Set(try await driver.get("/window/handles") as [BrowserWindow]) }
    }

    /// Opens an empty window, which shares its cookies with the other windows.
    ///
    /// Commands still go to the current window.
    public func newWindow(_ kind: WindowKind = .tab) async throws -> BrowserWindow {
        let window: NewWindow = try await driver.post("/window/new", ["type": .string(kind.rawValue)])
        return BrowserWindow(handle: window.handle)
    }

    /// Switches to `window`, which receives the next commands.
    public func switchTo(_ window: BrowserWindow) async throws {
        try await driver.post("/window", ["handle": .string(window.handle)])
    }

    /// Closes the current window.
    ///
    /// The next command must be ``switchTo(_:)``. Closing the last window ends the browser.
    public func closeWindow() async throws {
        try await driver.delete("/window")
    }
}
