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
    private var table: LinkTable
    /// The destinations of the templates with the same indexes in the table.
    private var destinations: [Destination] = []
    /// The templates and their destinations, in the order they were added.
    var routes: Zip2Sequence<[LinkTemplate], [Destination]> { zip(table.templates, destinations) }
    /// The number of templates.
    var count: Int { destinations.count }

    /// Creates a router without templates.
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`. Add `"http"` to allow plain web links from
    ///     `hosts`.
    ///   - hosts: the hosts whose `https` links are allowed, each with its port if that is not the
    ///     default.
    ///   - maximumLength: the maximum length of a link, in UTF-8 bytes.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    /// - Precondition: every scheme and every host is valid. International domain names are in
    ///   their ASCII form.
    init(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        maximumLength: Int = 8192,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        table = LinkTable(maximumLength: maximumLength)
        allow(schemes: schemes, hosts: hosts, fileID: fileID, line: line)
    }

    /// Allows links of more schemes and hosts.
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`. Add `"http"` to allow plain web links from
    ///     `hosts`.
    ///   - hosts: the hosts whose `https` links are allowed, each with its port if that is not the
    ///     default.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    /// - Precondition: every scheme and every host is valid. International domain names are in
    ///   their ASCII form.
    mutating func allow(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        table.allow(schemes: schemes, hosts: hosts, at: CallSite(fileID, line))
    }

    /// Adds a template and its destination.
    ///
    /// - Parameters:
    ///   - template: the shape of the links.
    ///   - destination: the destination of these links.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    /// - Precondition: no template that matches exactly the same links has been added. If templates
    ///   are known only at run time, use ``insert(_:_:)``.
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

    /// Adds a template and its destination, or throws if the template is a duplicate.
    ///
    /// - Throws: `duplicateTemplate` if a template that matches exactly the same links has been
    ///   added. Names of parameters and the query make no difference. The router is then unchanged.
    mutating func insert(_ template: LinkTemplate, _ destination: Destination) throws(LinkError) {
        try table.insert(template)
        destinations.append(destination)
    }

    /// Returns whether one template matches every link of the shape `template`.
    func matchesAll(_ template: LinkTemplate) -> Bool { table.matchesAll(template) }

    /// Returns the destination of `link`.
    ///
    /// - Parameter link: any text.
    /// - Returns: the destination of the most literal template that matches, with its parameters;
    ///   otherwise the reason why there is none.
    func match(_ link: String) -> LinkMatch<Destination> {
        do throws(LinkError) {
            return switch try table.find(link) {
            case .match(let index, let parameters): .match(destinations[index], parameters)
            case .noMatch: .noMatch
            case .notAllowed: .notAllowed
            case .invalid(let error): .invalid(error)
            }
        } catch {
            return .invalid(error)
        }
    }
}
