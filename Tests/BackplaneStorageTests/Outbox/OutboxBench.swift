import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

extension OutboxKind {
    static let notes = OutboxKind("notes", keyWindow: .seconds(3600))
    static let uploads = OutboxKind("uploads", network: .unmetered)
}

extension AuthenticatedKeyedEndpoint<Void> {
    /// Writes a text into a note of the server.
    static func write(_ text: String, to note: String) -> Self {
        Self(.put("notes/\(note)", body: .json(["text": text])))
    }
}

/// An outbox in a file of its own, in front of a server that a test scripts.
@MainActor
final class OutboxBench {
    let directory = TemporaryDirectory()
    let server = NetworkStub()
    let clock = ManualClock()
    private(set) var events: [String] = []
    /// The time of day, which a test sets.
    var timeOfDay = Date(timeIntervalSince1970: 1_000_000)

    init() {
        server.respond(to: .put, "notes/*", with: .status(.noContent))
    }

    var file: URL { directory.file("outbox.sqlite") }

    /// Opens the outbox as a new process does.
    func open(
        kinds: Set<OutboxKind> = [.notes, .uploads],
        limits: Outbox.Limits = Outbox.Limits()
    ) throws -> Outbox {
        let time = timeOfDay
        return try Outbox(
            file: file,
            kinds: kinds,
            limits: limits,
            clock: clock,
            timeOfDay: { time },
            jitter: { $0 }
        )
    }

    /// The operations of a user in an outbox.
    func account(_ name: String = "ada", of outbox: Outbox) throws -> AccountOutbox {
        outbox.account(name, through: try controller(of: name))
    }

    /// A signed-in user, whose access token is the name.
    func controller(of name: String = "ada") throws -> AuthenticatedNetworkController {
        let service = try NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server)
        return AuthenticatedNetworkController(
            over: service,
            tokens: NetworkTokens(
                access: AccessToken(rawValue: name),
                refresh: RefreshToken(rawValue: "refresh-\(name)")
            )
        ) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh", body: .json(["token": token.rawValue])))
        }
    }

    /// The texts that the server has received, in order, each with the note it was written to.
    var received: [String] {
        server.requests.map { request in
            let text = (try? request.json([String: String].self))?["text"] ?? ""
            return "\(request.path.split(separator: "/").last ?? ""): \(text)"
        }
    }

    /// The keys that the server has received, in order.
    var keys: [String] { server.requests.map { $0.headerFields[.idempotencyKey] ?? "none" } }
}
