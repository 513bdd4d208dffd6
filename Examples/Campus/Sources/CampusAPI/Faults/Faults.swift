/// What an API is told to do wrong, so that tests and demonstrations can show what its clients make of it.
///
/// Written as rules between commas, each `kind=path` or `kind=path:argument`:
///
/// | Rule | Effect on requests to the path |
/// |---|---|
/// | `slow=/courses/*/tutor:800ms` | the answer takes that much longer; `ms` or `s` |
/// | `fail=/courses/*/schedule:2` | the next two are answered with 503; without a number, all are |
/// | `unauthorized=/**:3` | the next three that carry an access token are answered as if it had expired; without a number, all are |
/// | `hold=/courses/*/todos/*` | they wait until the faults are changed |
/// | `reject=/purchases:1` | the next one that writes is refused with 409 and changes nothing; without a number, all are |
/// | `drop=/messages:1` | the next one that writes is carried out, and its answer is lost: 503; without a number, all are |
///
/// What writes is whatever is not a GET: a fault in a tick is not used up by a page that loads.
///
/// In a path, `*` stands for one segment, and `**` at the end for any number of them. Of two rules of one kind that match,
/// the first one that is not used up applies.
///
/// ```swift
/// let faults = try Faults("slow=/courses/*/tutor:800ms,fail=/courses/*/schedule:2")
/// ```
public struct Faults: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        case slow(Duration)
        /// Nil: until healed.
        case fail(times: Int?)
        /// Nil: until healed.
        case unauthorized(times: Int?)
        case hold
        /// Nil: until healed.
        case reject(times: Int?)
        /// Nil: until healed.
        case drop(times: Int?)
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

    /// The faults written as `text`; no text, no faults.
    ///
    /// - Throws: ``CampusAPIError`` with the code ``CampusAPIError/Code/invalidFaults`` and a message that names the rule
    ///   which cannot be understood and says what it should look like.
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
        case "fail": return Rule(path: path, effect: .fail(times: try count(argument, of: text)))
        case "unauthorized": return Rule(path: path, effect: .unauthorized(times: try count(argument, of: text)))
        case "hold":
            guard argument == nil else { throw invalid(text, "nothing follows its path") }
            return Rule(path: path, effect: .hold)
        case "reject": return Rule(path: path, effect: .reject(times: try count(argument, of: text)))
        case "drop": return Rule(path: path, effect: .drop(times: try count(argument, of: text)))
        default:
            throw invalid(text, "there is no '\(kind)'; there are slow, fail, unauthorized, hold, reject and drop")
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
            throw invalid(rule, "what follows ':' must be how many times, 1 or more")
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
