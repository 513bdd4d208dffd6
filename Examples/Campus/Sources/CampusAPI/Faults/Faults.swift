/// Artificial faults of an API, so that tests and demonstrations can show how its clients behave.
///
/// The text has rules with commas between them. Each rule is `kind=path` or `kind=path:argument`:
///
/// | Rule | Effect on requests to the path |
/// |---|---|
/// | `slow=/courses/*/tutor:800ms` | responses take that much longer; `ms` or `s` |
/// | `fail=/courses/*/schedule:2` | the next two get status 503 |
/// | `deny=/courses/*/tutor:1` | the next one gets status 403 |
/// | `unauthorized=/**:3` | the next three with an access token get 401, as if it had expired |
/// | `hold=/courses/*/todos/*` | requests wait until the faults are changed |
/// | `reject=/purchases:1` | the next write gets status 409 with a reason and changes nothing |
/// | `invalid=/purchases:1` | the next write gets status 422 with a reason and changes nothing |
/// | `ramble=/purchases:1` | the same, but the reason has more than 100 kB |
/// | `drop=/messages:1` | the next write is carried out, but its response is lost: 503 |
/// | `lose=/messages:1` | the next request is carried out, and gets a closed connection |
/// | `garble=/messages:1` | the next request is carried out, but its response, 200, is no JSON |
///
/// Without a number, all of them except `slow` and `hold` apply to every such request. A write is
/// any request except a GET or a HEAD. So loading a page does not use up a fault for writes.
///
/// In a path, `*` matches one segment, and `**` at the end matches any number of segments. If
/// several rules of one kind match, the first one that is not used up applies.
///
/// ```swift
/// let faults = try Faults("slow=/courses/*/tutor:800ms,fail=/courses/*/schedule:2")
/// ```
public struct Faults: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        case slow(Duration)
        case hold
        /// `nil` applies until the faults are changed.
        case failure(Failure, times: Int?)
    }

    /// A failure of single requests; the raw value is its name in a rule.
    enum Failure: String, Sendable {
        case fail, deny, unauthorized, reject, invalid, ramble, drop, lose, garble
    }

    struct Rule: Hashable, Sendable {
        let path: PathPattern
        var effect: Effect
    }

    var rules: [Rule]

    /// No faults.
    public static let none = Faults(rules: [])

    private init(rules: [Rule]) {
        self.rules = rules
    }

    /// Creates the faults written in `text`; an empty text has no faults.
    ///
    /// - Throws: ``CampusAPIError`` with the code ``CampusAPIError/Code/invalidFaults``. Its
    ///   message names the invalid rule and shows the correct form.
    public init(_ text: String) throws {
        rules = try text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty }.map(Self.rule)
    }

    private static func rule(_ text: Substring) throws -> Rule {
        guard let equals = text.firstIndex(of: "=") else {
            throw invalid(text, "it has no '='; write it like fail=/courses/*/schedule:2")
        }
        let parts = text[text.index(after: equals)...]
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let path = PathPattern(first) else {
            throw invalid(text, "its path must start with '/', and may have '**' only at its end")
        }
        let argument = parts.dropFirst().first
        let kind = text[..<equals]
        switch kind {
        case "slow": return Rule(path: path, effect: .slow(try duration(argument, of: text)))
        case "hold":
            guard argument == nil else { throw invalid(text, "it takes no argument after its path") }
            return Rule(path: path, effect: .hold)
        default:
            guard let failure = Failure(rawValue: String(kind)) else {
                let kinds = "slow, hold, fail, deny, unauthorized, reject, invalid, ramble, drop, lose and garble"
                throw invalid(text, "there is no '\(kind)'; there are \(kinds)")
            }
            return Rule(path: path, effect: .failure(failure, times: try count(argument, of: text)))
        }
    }

    private static func duration(_ argument: Substring?, of rule: Substring) throws -> Duration {
        if let argument, argument.hasSuffix("ms"), let number = UInt32(argument.dropLast(2)) {
            return .milliseconds(number)
        }
        if let argument, argument.hasSuffix("s"), let number = UInt32(argument.dropLast()) {
            return .seconds(number)
        }
        throw invalid(rule, "it needs a time after ':', such as 800ms or 2s")
    }

    private static func count(_ argument: Substring?, of rule: Substring) throws -> Int? {
        guard let argument else { return nil }
        guard let number = UInt32(argument), number > 0 else {
            throw invalid(rule, "the number of times after ':' must be 1 or more")
        }
        return Int(number)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let head = text.drop(while: \.isWhitespace)
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return head }
        return head[...last]
    }

    private static func invalid(_ rule: Substring, _ reason: String) -> CampusAPIError {
        CampusAPIError(.invalidFaults, "The fault '\(rule)' cannot be understood: \(reason).")
    }
}
