/// The outcome of looking up a link.
public enum LinkMatch<Destination> {
    /// The link leads to the destination with these parameters.
    case match(Destination, LinkParameters)
    /// The link is ours and well formed, and matches no template.
    case noMatch
    /// The link's scheme or host is not one of ours;
    /// ``LinkRouter/allow(schemes:hosts:fileID:line:)`` lists it.
    case notAllowed
    /// The link is malformed or hostile; the error says in what way, without repeating the link.
    case invalid(LinkError)
}

extension LinkMatch: Equatable where Destination: Equatable {}
extension LinkMatch: Sendable where Destination: Sendable {}

/// Finds the destination of a link among templates.
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
/// **Which links are ours.** A bare path (`/course/abc123`) always is. `myapp://course/abc123` is when the scheme is listed;
/// its host is the path's first segment, and letter case counts in it as in any other. `https://campus.example/course/abc123` is when the host is listed. Links of plain
/// `http` need `"http"` among the schemes as well. Schemes and hosts are compared without regard to case; a port must be the
/// scheme's default or be listed with its host (`"127.0.0.1:8080"`). Links to anywhere else are
/// ``LinkMatch/notAllowed``, unless a template names that origin.
///
/// **Which template wins.** The more literal one, whatever the order in which they were added: a template that names its
/// origin before one that does not, then from left to right a literal segment before a parameter.
///
/// **What is refused** with ``LinkMatch/invalid(_:)``: bad escapes, bytes that are not UTF-8, control characters, backslashes and
/// bare spaces, `.` and `..` segments (each of these percent-encoded too), empty segments but for one trailing slash,
/// user names, more than 64 segments, more than 256 query items, over-long text. Text is decoded once, after it has been split, so `%2F` stays inside
/// its parameter and `%2541` becomes `%41`. The fragment is ignored. Of a repeated query key the first counts.
///
/// No link traps. A look-up takes time in proportion to the link's length, not to the number of templates. Only those
/// that differ in whether a segment is a literal or a parameter, and otherwise begin like the link, are tried in turn.
///
/// The router is a value: copies are independent. Follows RFC 3986.
public struct LinkRouter<Destination> {
    private var table: LinkTable
    /// Where the template with the same index in the table leads.
    private var destinations: [Destination] = []
    /// The templates in the order in which they were added, and where they lead.
    var routes: Zip2Sequence<[LinkTemplate], [Destination]> { zip(table.templates, destinations) }
    /// The number of templates.
    var count: Int { destinations.count }

    /// A router without templates.
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`; `"http"` to accept plain web links from
    ///     `hosts`.
    ///   - hosts: the hosts whose `https` links are ours, each with a port if it is not the default
    ///     one.
    ///   - maximumLength: how many UTF-8 bytes a link may have.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Precondition: every scheme and host is one; international domain names are in their ASCII
    ///   form.
    public init(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        maximumLength: Int = 8192,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        table = LinkTable(maximumLength: maximumLength)
        allow(schemes: schemes, hosts: hosts, fileID: fileID, line: line)
    }

    /// Accepts links of more schemes and hosts.
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`; `"http"` to accept plain web links from
    ///     `hosts`.
    ///   - hosts: the hosts whose `https` links are ours, each with a port if it is not the default
    ///     one.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Precondition: every scheme and host is one; international domain names are in their ASCII
    ///   form.
    public mutating func allow(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        table.allow(schemes: schemes, hosts: hosts, at: CallSite(fileID, line))
    }

    /// Adds a template and where it leads.
    ///
    /// - Parameters:
    ///   - template: the shape of the links.
    ///   - destination: where they lead.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Precondition: no template that matches exactly the same links has been added. Where templates are not known
    ///   before run time, use ``insert(_:_:)``.
    public mutating func add(
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

    /// Adds a template and where it leads, or says why not.
    ///
    /// - Throws: ``LinkError`` with the code ``LinkError/Code/duplicateTemplate`` when a template that matches exactly the
    ///   same links (the names of its parameters and its query apart) has been added; the router is unchanged.
    public mutating func insert(_ template: LinkTemplate, _ destination: Destination) throws(LinkError) {
        try table.insert(template)
        destinations.append(destination)
    }

    /// Whether a template matches every link of the shape `template`.
    func matchesAll(_ template: LinkTemplate) -> Bool { table.matchesAll(template) }

    /// Where `link` leads.
    ///
    /// - Parameter link: any text.
    /// - Returns: the destination of the most literal template that matches, with its parameters; or why there is none.
    public func match(_ link: String) -> LinkMatch<Destination> {
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

extension LinkRouter: Sendable where Destination: Sendable {}
