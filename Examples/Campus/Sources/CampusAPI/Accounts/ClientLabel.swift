/// What a client calls itself in `User-Agent`, cut down to what people know it by.
enum ClientLabel {
    /// The longest label of a client that is no browser we know.
    static let limit = 40

    /// `Firefox on Linux` for a browser, and for anything else the name of its first product (RFC 9110, section 10.1.5).
    ///
    /// - Returns: the label; nil when there is nothing to make one of.
    static func label(of userAgent: String) -> String? {
        guard let browser = name(of: userAgent, among: browsers) else {
            let product = userAgent.prefix { $0 != "/" && !$0.isWhitespace }.prefix(limit)
            return product.isEmpty ? nil : String(product)
        }
        return name(of: userAgent, among: systems).map { "\(browser) on \($0)" } ?? browser
    }

    private static func name(of userAgent: String, among names: [(mark: String, name: String)]) -> String? {
        names.first { userAgent.contains($0.mark) }?.name
    }

    // Each names itself after those that it wants to be taken for, so the first mark that is found decides.
    private static let browsers = [
        (mark: "Edg/", name: "Edge"), (mark: "OPR/", name: "Opera"), (mark: "Firefox/", name: "Firefox"),
        (mark: "Chrome/", name: "Chrome"), (mark: "Safari/", name: "Safari"),
    ]

    private static let systems = [
        (mark: "iPhone", name: "iPhone"), (mark: "iPad", name: "iPad"), (mark: "Android", name: "Android"),
        (mark: "Windows", name: "Windows"), (mark: "Mac OS X", name: "macOS"), (mark: "Linux", name: "Linux"),
    ]
}
