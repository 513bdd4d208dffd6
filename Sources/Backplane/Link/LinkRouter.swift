/// The result of looking up a link.
enum LinkMatch<Destination> {
    /// The link leads to the destination, with these parameters.
    case match(Destination, LinkParameters)
    /// The link is allowed and well formed, but matches no template.
    case noMatch
    /// The link's scheme or host is not allowed.
    case notAllowed
    /// The link is malformed or hostile; the error says why, without repeating the link.
    case invalid(LinkError)
}

/// A table of templates that finds the destination of a link.
///
/// ```swift
/// var router = LinkRouter<Page>(schemes: ["myapp"], hosts: ["campus.example"])
/// router.add("course/{id}?tab={tab}", .course)
///
/// if case .match(.course, let link) = router.match("myapp://course/abc123?tab=todos") {
///     let id: String = try link["id"]
///     let tab: String? = try link["tab"]
/// }
/// ```
///
/// **Allowed links.** A bare path (`/course/abc123`) is always allowed. `myapp://course/abc123` is
/// allowed if its scheme is listed. Its host is the first segment of the path, so letter case
/// counts in it. `https://campus.example/course/abc123` is allowed if its host is listed. Links of
/// plain `http` also need `"http"` among the schemes. Schemes and hosts are compared without regard
/// to case. A port must be the scheme's default, or be listed with its host (`"127.0.0.1:8080"`).
/// All other links are ``LinkMatch/notAllowed``, unless a template names their origin.
///
/// **Precedence.** The more literal template wins, in whatever order the templates were added. A
/// template that names its origin comes before one without an origin. Then, from left to right, a
/// literal segment comes before a parameter.
///
/// **Refused links.** These links are ``LinkMatch/invalid(_:)``:
///
/// - Links with bad escapes, or with bytes that are not UTF-8.
/// - Links with control characters, backslashes, or `.` and `..` segments, even percent-encoded.
/// - Links with bare spaces, with user names, or with empty segments other than one trailing slash.
/// - Links with more than 64 segments or 256 query items, or longer than the maximum length.
///
/// Text is decoded once, after it is split. So `%2F` stays inside its parameter, and `%2541`
/// becomes `%41`. The fragment is ignored. If a query key is repeated, its first value counts.
///
/// No link traps. The time of a look-up grows with the link's length, not with the number of
/// templates. Several templates are tried in turn only if they begin like the link and differ in
/// which segments are literals and which are parameters.
///
/// The router is a value, so copies are independent. It follows RFC 3986.
struct LinkRouter<Destination> {
    private var schemes: Set<String> = []
    private var webOrigins: Set<LinkOrigin> = []
    private let maximumLength: Int
    /// The templates and their destinations, in the order they were added.
    private(set) var routes: [(template: LinkTemplate, destination: Destination)] = []
    private var trie = LinkTrie()
    /// The trie's root for templates that name no origin.
    private let anyOrigin: Int
    private var origins: [LinkOrigin: Int] = [:]

    /// Creates a router without templates.
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes: see ``allow(schemes:hosts:fileID:line:)``.
    ///   - hosts: the hosts whose `https` links are allowed.
    ///   - maximumLength: the maximum length of a link, in UTF-8 bytes.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    init(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        maximumLength: Int = 8192,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.maximumLength = maximumLength
        anyOrigin = trie.makeRoot()
        allow(schemes: schemes, hosts: hosts, fileID: fileID, line: line)
    }

    /// Allows links of more schemes and hosts; traps if one is not valid.
    mutating func allow(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = CallSite(fileID, line)
        for scheme in schemes {
            site.require(
                scheme.utf8.first.map(Byte.isLetter) == true && scheme.utf8.allSatisfy(Byte.isSchemeCharacter),
                "\"\(scheme)\" is not a URL scheme. Write the letters before the colon, such as \"myapp\"."
            )
            self.schemes.insert(scheme.lowercased())
        }
        for host in hosts {
            webOrigins.insert(.web(scheme: "https", Self.authority(of: host, defaultPort: 443, at: site)))
            webOrigins.insert(.web(scheme: "http", Self.authority(of: host, defaultPort: 80, at: site)))
        }
    }

    /// Adds a template and its destination; traps if the template is a duplicate.
    mutating func add(
        _ template: LinkTemplate,
        _ destination: Destination,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        do throws(LinkError) {
            try insert(template, destination)
        } catch {
            CallSite(fileID, line).fail(error.message)
        }
    }

    /// Adds a template and its destination.
    ///
    /// - Throws: `duplicateTemplate` if a template that matches exactly the same links has been
    ///   added. Names of parameters and the query make no difference. The router is then unchanged.
    mutating func insert(_ template: LinkTemplate, _ destination: Destination) throws(LinkError) {
        if let index = trie.insert(routes.count, at: template.segments, root: root(for: template.origin)) {
            throw LinkError(
                .duplicateTemplate,
                "The link template \"\(template)\" matches the same links as \"\(routes[index].template)\". Remove one of "
                    + "them."
            )
        }
        routes.append((template, destination))
    }

    /// Returns the destination of `link`, which may be any text.
    func match(_ link: String) -> LinkMatch<Destination> {
        do throws(LinkError) {
            return try find(link)
        } catch {
            return .invalid(error)
        }
    }

    private func find(_ text: String) throws(LinkError) -> LinkMatch<Destination> {
        guard text.utf8.count <= maximumLength else {
            throw LinkError(.tooLong, "The link is longer than \(maximumLength) bytes.")
        }
        let link = try RawLink(text)
        let ownRoot = origins[link.origin]
        let isAllowed = allows(link.origin)
        guard ownRoot != nil || isAllowed else { return .notAllowed }

        let decoded = try DecodedLink(link)
        let index =
            ownRoot.flatMap { trie.leaf(of: decoded, from: $0) }
            ?? (isAllowed ? trie.leaf(of: decoded, from: anyOrigin) : nil)
        guard let index else { return .noMatch }
        return .match(routes[index].destination, LinkParameters(routes[index].template.parameters, of: decoded))
    }

    /// Returns whether one template matches every link of the shape `template`.
    func matchesAll(_ template: LinkTemplate) -> Bool {
        if let root = template.origin.flatMap({ origins[$0] }), trie.hasLeaf(at: template.segments[...], from: root) {
            return true
        }
        return allows(template.origin ?? .path) && trie.hasLeaf(at: template.segments[...], from: anyOrigin)
    }

    private func allows(_ origin: LinkOrigin) -> Bool {
        switch origin {
        case .path: true
        case .app(let scheme): schemes.contains(scheme)
        case .web(let scheme, _):
            (scheme == "https" || schemes.contains(scheme)) && webOrigins.contains(origin)
        }
    }

    private mutating func root(for origin: LinkOrigin?) -> Int {
        guard let origin else { return anyOrigin }
        if let root = origins[origin] { return root }
        let root = trie.makeRoot()
        origins[origin] = root
        return root
    }

    private static func authority(of host: String, defaultPort: Int, at site: CallSite) -> LinkAuthority {
        do throws(LinkError) {
            return try LinkAuthority(Array(host.utf8)[...], defaultPort: defaultPort)
        } catch {
            site.fail("\"\(host)\" is not a host such as \"campus.example\". \(error.message)")
        }
    }
}

/// The destination of a registered link.
struct LinkTarget {
    let board: AnyBoardID
    /// The links of the screens below the board's screen, outermost first.
    let parents: [LinkTemplate]
    /// Reads the parameters as the board's input, and activates the board.
    let open: (LinkParameters, Motherboard) throws -> OpenedLink
}
