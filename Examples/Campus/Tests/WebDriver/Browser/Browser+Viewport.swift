extension Browser {
    /// Gives the page a size, whatever the size of the window.
    ///
    /// A window has a minimum width, which is wider than a phone. The size holds for the current
    /// tab until the tab is closed. A pixel of the page is a pixel of a screenshot, and scroll bars
    /// take no room, as on a phone.
    ///
    /// - Parameters:
    ///   - width: the width in CSS pixels.
    ///   - height: the height in CSS pixels.
    /// - Throws: ``WebDriverError`` if the browser is not a Chromium.
    public func setViewport(width: Int, height: Int) async throws {
        try await sendToDevTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)),
                "deviceScaleFactor": 1, "mobile": false,
            ]
        )
        try await sendToDevTools("Emulation.setScrollbarsHidden", ["hidden": true])
    }

    /// Sends a command of the Chrome DevTools Protocol, which is not part of the W3C protocol.
    func sendToDevTools(_ command: String, _ parameters: JSONValue = [:]) async throws {
        try await driver.post("/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }
}
