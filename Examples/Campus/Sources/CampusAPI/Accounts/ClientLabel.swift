/// A short name for a client, made from its `User-Agent` header.
enum ClientLabel {
    /// The maximum length of the label of a client that is not a known browser.
    static let limit = 40

    /// Returns `Firefox on Linux` for a browser, or the name of the first product for another
    /// client.
    ///
    /// RFC 9110, section 10.1.5, defines the header.
    ///
    /// - Returns: the label; `nil` if the header contains no name.
    static func label(of userAgent: String) -> String? {
        guard let browser = name(of: userAgent, among: browsers) else {
            let product = userAgent.utf8.prefix(while: isPartOfProduct).prefix(limit)
            return product.isEmpty ? nil : String(decoding: product, as: UTF8.self)
        }
        return name(of: userAgent, among: systems).map { "\(browser) on \($0)" } ?? browser
    }

    /// Returns whether the name of a product may have the byte: a visible ASCII character.
    private static func isPartOfProduct(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "/")
    }

    private static func name(of userAgent: String, among names: [(mark: String, name: String)]) -> String? {
        names.first { userAgent.contains($0.mark) }?.name
    }

    // Browsers include the names of other browsers in their header, so the order of this list
    // matters.
    private static let browsers = [
        (mark: "Edg/", name: "Edge"), (mark: "OPR/", name: "Opera"), (mark: "Firefox/", name: "Firefox"),
        (mark: "Chrome/", name: "Chrome"), (mark: "Safari/", name: "Safari"),
    ]

    private static let systems = [
        (mark: "iPhone", name: "iPhone"), (mark: "iPad", name: "iPad"), (mark: "Android", name: "Android"),
        (mark: "Windows", name: "Windows"), (mark: "Mac OS X", name: "macOS"), (mark: "Linux", name: "Linux"),
    ]
}
