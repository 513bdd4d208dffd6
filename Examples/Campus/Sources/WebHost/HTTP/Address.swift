import Foundation

/// The host's own addresses, and the query parameter that the host adds to the app's addresses.
enum Address {
    /// The query parameter with the ID of the window, for a page without the script.
    static let windowParameter = "_window"
    /// The query parameter with the key of a page without the script: see ``PageKey``.
    static let pageParameter = "_page"

    /// The maximum number of bytes of a path with its query; windows keep the paths of screens, and
    /// store them with each change.
    static let limit = 2 * 1024

    /// Returns the address that a window's page posts to and listens on.
    static func events(of window: WindowID) -> String { "/_host/windows/\(window.secret.digits)/events" }

    /// Returns the window in a path from ``events(of:)``; `nil` for any other path.
    static func window(inEventsPath path: Substring) -> WindowID? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "_host", parts[2] == "windows", parts[4] == "events" else { return nil }
        return WindowID(secret: Secret(digits: String(parts[3])))
    }

    /// Returns `path` with the parameters of the window and of the page.
    static func adding(window: WindowID, page: Secret?, to path: String) -> String {
        let key = page.map { "&\(pageParameter)=\($0.digits)" } ?? ""
        return "\(path)\(path.contains("?") ? "&" : "?")\(windowParameter)=\(window.secret.digits)\(key)"
    }

    /// Returns a path and query without the host's parameters, and the window and the page that the
    /// parameters named.
    ///
    /// All other bytes stay unchanged. If they are malformed, the app's links reject them.
    static func removingWindow(from target: String) -> (link: String, window: WindowID?, page: Secret?) {
        guard let mark = target.firstIndex(of: "?") else { return (target, nil, nil) }
        var (window, page): (WindowID?, Secret?)
        let fields = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = fields.filter { field in
            if field.hasPrefix("\(windowParameter)=") {
                window = WindowID(secret: Secret(digits: String(field.dropFirst(windowParameter.count + 1))))
            } else if field.hasPrefix("\(pageParameter)=") {
                page = PageKey.read(String(field.dropFirst(pageParameter.count + 1)))
            } else {
                return true
            }
            return false
        }
        if kept.count == fields.count { return (target, nil, nil) }
        let query = kept.joined(separator: "&")
        return (query.isEmpty ? String(target[..<mark]) : "\(target[..<mark])?\(query)", window, page)
    }

    /// Returns `path` if a redirect to it stays on this site, and otherwise the start page.
    ///
    /// For example, `//elsewhere.example` would leave the site.
    static func local(_ path: String) -> String {
        let isVisible = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        return isVisible && path.hasPrefix("/") && !path.hasPrefix("//") ? path : "/"
    }

    /// Returns the path and query of a `Referer`, without the window's parameter.
    static func path(ofReferer referer: String) -> String {
        guard let scheme = referer.range(of: "://"),
            let start = referer[scheme.upperBound...].firstIndex(of: "/")
        else { return "/" }
        return local(removingWindow(from: String(referer[start...])).link)
    }
}
