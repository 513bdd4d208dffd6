/// The templates and rules of a router, without its destinations.
///
/// The type is not generic, so it is compiled once and at full speed for all destinations.
struct LinkTable {
    private var schemes: Set<String> = []
    private var webOrigins: Set<LinkOrigin> = []
    private let maximumLength: Int
    private(set) var templates: [LinkTemplate] = []
    private var trie = LinkTrie()
    /// The trie's root for templates that name no origin.
    private let anyOrigin: Int
    private var origins: [LinkOrigin: Int] = [:]

    init(maximumLength: Int) {
        self.maximumLength = maximumLength
        anyOrigin = trie.makeRoot()
    }

    mutating func allow(schemes: Set<String>, hosts: Set<String>, at site: CallSite) {
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

    /// Adds a template; its index is the number of templates before it.
    mutating func insert(_ template: LinkTemplate) throws(LinkError) {
        if let index = trie.insert(templates.count, at: template.segments, root: root(for: template.origin)) {
            throw LinkError(
                .duplicateTemplate,
                "The link template \"\(template)\" matches the same links as \"\(templates[index])\". Remove one of them."
            )
        }
        templates.append(template)
    }

    /// Returns the index of the template that `text` matches, with its parameters' values.
    func find(_ text: String) throws(LinkError) -> LinkMatch<Int> {
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
        return .match(index, LinkParameters(templates[index].parameters, of: decoded))
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
    let activate: (LinkParameters, Motherboard) throws -> any AnyActivation
}
