import BackplaneNetworking
import BackplaneTesting
import HTTPTypes
import TestSupport

/// One use of the client, as the seed of a trace decides.
struct AttackPlan: Sendable {
    enum Kind: CaseIterable, Sendable {
        case plain
        case keyed
        case mutation
        case action
    }

    enum Key: CaseIterable, Sendable {
        case none
        case empty
        case fixed
    }

    /// How the client reads a successful response.
    enum Reading: CaseIterable, Sendable {
        case answer
        case nothing
        /// As a dictionary, so that the keys of a wrong body are a part of the decoder's error.
        case dictionary
    }

    enum Cancellation: Sendable {
        case never
        case beforehand
        case later
    }

    let kind: Kind
    let key: Key
    let method: HTTPRequest.Method
    let path: EndpointPath
    let reading: Reading
    let cancellation: Cancellation
    let isAuthenticated: Bool
    /// Whether a completion handler gets the response.
    let hasHandler: Bool
    /// Whether the request has the precondition that nobody has carried it out.
    let isConditional: Bool
    /// Whether the server accepts the request.
    let isAcceptable: Bool
    let refusal: Int
    /// The status by which the server refuses an access token; 401, unless the endpoint has its own
    /// rule.
    let tokenRefusal: Int
    /// Whether the body cannot be encoded.
    let isBroken: Bool
    /// Whether the endpoint names another virtual host.
    let hasHost: Bool

    private static let methods: [HTTPRequest.Method] = [
        .get, .post, .post, .post, .put, .put, .patch, .delete, .delete,
    ]
    private static let paths: [EndpointPath] = [
        "things", "/things", "//evil.test/things", "things//a", "a/../b", "@evil.test", "%2e%2e/b", "\\\\evil.test\\b",
        "things/\("../c")", "things/\("a@evil.test:80")",
    ]

    init(_ generator: inout SeededGenerator) {
        kind = Kind.allCases[generator.below(Kind.allCases.count)]
        key = kind == .plain ? Key.allCases[generator.below(Key.allCases.count)] : .fixed
        method = Self.methods[generator.below(Self.methods.count)]
        path = generator.chance(80) ? "things" : Self.paths[generator.below(Self.paths.count)]
        reading = Reading.allCases[generator.below(Reading.allCases.count)]
        // A mutation is made even if its caller no longer waits for it.
        let isEarly = generator.chance(12)
        cancellation = isEarly && kind != .mutation ? .beforehand : generator.chance(12) ? .later : .never
        isAuthenticated = generator.chance(50)
        hasHandler = generator.chance(20)
        isConditional = method == .put && generator.chance(60)
        isAcceptable = !generator.chance(15)
        // A server that remembers keys says 409 only while it carries out the request (D27).
        let refusals = key == .fixed ? [400, 403, 404, 410, 412, 422] : [400, 402, 403, 404, 409, 410, 412, 422, 451]
        refusal = refusals[generator.below(refusals.count)]
        tokenRefusal = generator.chance(25) ? 418 : 401
        isBroken = kind == .plain && generator.chance(3)
        hasHost = generator.chance(3)
    }

    /// Whether a second arrival has a second effect.
    var isUnsafe: Bool { [.post, .patch].contains(method) && key != .fixed }

    /// Whether the server carries it out at most once, because it knows the key.
    var isKeyed: Bool { key == .fixed && method != .get }
}

/// The fate of one request on its way.
enum AttackFate: Sendable {
    /// There is no connection; nothing leaves.
    case unreachable
    case lostBefore
    case lostAfter
    case answered
    /// A gateway responds, and the server gets nothing.
    case stopped(Int)
    /// The server carries it out, and a gateway responds.
    case replaced(Int)
    /// The server gets it later; the response follows.
    case late(Duration)
    /// The server takes its time to carry it out.
    case slow(Duration)
    /// The server carries it out, and no response ever comes.
    case silent
    /// The server carries it out, and the body of its response is wrong.
    case garbled(String)
    /// The server carries it out, and its response is too large.
    case tooLarge
    /// The server gets it twice, the second time later, and the client gets the first response.
    case duplicated(Duration)

    private static let later = [408, 425, 429]
    private static let garbage = [
        "", "CANARY", #"{"CANARY"#, #"{"value":{"CANARY":"CANARY"}}"#, #"{"value":"CANARY"}"#, #"["CANARY"]"#,
        #"{"CANARY":{"CANARY\n":"CANARY"}}"#, #"{"value":1e999,"CANARY":1e999}"#, "<html>CANARY</html>",
    ]

    /// Returns the next fate of a request.
    ///
    /// - Parameters:
    ///   - generator: The numbers of the use.
    ///   - plan: The use.
    ///   - isRepeated: Whether an earlier request of the same key may have arrived.
    init(_ generator: inout SeededGenerator, _ plan: AttackPlan, isRepeated: Bool) {
        let time = Duration.milliseconds(1 + generator.below(generator.chance(30) ? 40_000 : 3000))
        switch generator.below(100) {
        case ..<7: self = .unreachable
        case ..<15: self = .lostBefore
        case ..<32: self = .lostAfter
        case ..<42: self = .stopped(Self.status(&generator, knowsKey: plan.isKeyed && isRepeated))
        case ..<50: self = .replaced(Self.statusAfterwards(&generator))
        case ..<56: self = .late(time)
        case ..<62: self = .slow(time)
        case ..<65: self = .silent
        case ..<70: self = .garbled(Self.garbage[generator.below(Self.garbage.count)])
        case ..<72: self = .tooLarge
        case ..<76: self = .duplicated(time)
        default: self = .answered
        }
    }

    /// Returns the status of a gateway.
    ///
    /// A gateway does not know the keys of the server. So it cannot send the statuses that would
    /// tell about the key (D27), if an earlier request of that key may have arrived.
    private static func status(_ generator: inout SeededGenerator, knowsKey: Bool) -> Int {
        switch generator.below(10) {
        case 0: return [100, 101, 103, 199][generator.below(4)]
        case 1: return 300 + generator.below(100)
        case 2: return later[generator.below(3)]
        case 3...5: return 500 + generator.below(100)
        case 6: return [600, 777, 999][generator.below(3)]
        default:
            let status = 400 + generator.below(100)
            return knowsKey && [400, 403, 404, 410, 412, 422].contains(status) ? 429 : status
        }
    }

    private static func statusAfterwards(_ generator: inout SeededGenerator) -> Int {
        switch generator.below(6) {
        case 0: [100, 101, 103, 199][generator.below(4)]
        case 1: 300 + generator.below(100)
        case 2: 408
        case 3: [600, 777, 999][generator.below(3)]
        default: 500 + generator.below(100)
        }
    }
}
