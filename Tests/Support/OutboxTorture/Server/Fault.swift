import BackplaneConformance
import BackplaneTesting
import TestSupport

/// A fault that the server injects into one request.
enum Fault: String, CaseIterable, Sendable {
    case closedBeforeExecution
    case droppedReply
    case delayedReply
    case delayedExecution
    case unavailable
    case unavailableForOneSecond
    case tooManyRequests
    case internalError
    /// A proxy refuses with a status that says nothing about the key.
    case refusedByProxy
    /// The access token is refused, and the refresh token is accepted.
    case expired
    /// All tokens of the user are refused, until they sign in again.
    case revoked
    /// The server wants a newer version of the app; only on the driver's order.
    case outdated

    /// How many of 100 requests have it.
    private var percentage: Int {
        switch self {
        case .closedBeforeExecution: 6
        case .droppedReply: 8
        case .delayedReply, .delayedExecution: 5
        case .unavailable: 4
        case .unavailableForOneSecond: 1
        case .tooManyRequests, .internalError, .refusedByProxy: 2
        case .expired: 3
        case .revoked: 1
        case .outdated: 0
        }
    }

    /// Returns the fault of an attempt, which does not depend on the times of other requests.
    static func random(seed: UInt64, number: Int, attempt: Int) -> Fault? {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 1_000_003 &+ UInt64(attempt))
        var rest = generator.below(100)
        for fault in allCases {
            rest -= fault.percentage
            if rest < 0 { return fault }
        }
        return nil
    }

    /// The response that comes before the server looks for the key.
    var reply: ScriptedServer.Reply? {
        switch self {
        case .unavailable: .status(503)
        case .unavailableForOneSecond: ScriptedServer.Reply(status: 503, headers: ["Retry-After": "1"])
        case .tooManyRequests: .status(429)
        case .internalError: .status(500)
        case .refusedByProxy: .status(451)
        case .outdated: .status(426)
        case .closedBeforeExecution, .droppedReply, .delayedReply, .delayedExecution, .expired, .revoked: nil
        }
    }
}
