import BackplaneConcurrency
import BackplaneNetworking
import Foundation
import GRDB
import HTTPTypes

/// The transport of a client that leaves out a safeguard.
///
/// It changes requests and the file behind the back of the outbox, so the library needs no hook.
struct Sabotage: NetworkTransport {
    private struct Memory: Sendable {
        var lastTag: String?
        var token: String?
    }

    private let ablation: Options.Ablation
    private let database: DatabaseQueue
    private let transport: SocketTransport
    private let account: String
    private let memory = Locked(Memory())

    init(_ ablation: Options.Ablation, orders: ClientOrders, over transport: SocketTransport) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        (self.ablation, self.transport, account) = (ablation, transport, orders.account)
        database = try DatabaseQueue(path: orders.file, configuration: configuration)
        guard ablation == .keepsWords else { return }
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS kept (words TEXT);
                    CREATE TRIGGER IF NOT EXISTS keep AFTER DELETE ON operation
                    BEGIN INSERT INTO kept VALUES (old.label); END
                    """
            )
        }
    }

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        guard let key = request.headerFields[.idempotencyKey] else {
            return try await transport.send(request, body: body, responseLimit: responseLimit)
        }
        var request = request
        switch ablation {
        case .deleteBeforeSend: try await delete(key)
        case .newKeys: request.headerFields[.idempotencyKey] = UUID().uuidString
        case .mixedTags:
            let tag = memory.withLock { $0.lastTag }
            if request.path?.hasPrefix("/records/") == true { request.headerFields[.ifMatch] = tag }
        case .mixedUsers: request.headerFields[.authorization] = try await strangersToken()
        case .inventedReplies:
            // Some requests are lost, and the client believes in a response.
            if request.path == "/operations", key.utf8.reduce(0, { $0 &+ Int($1) }).isMultiple(of: 3), let body,
                let number = try? JSONDecoder().decode(Receipt.self, from: body).number
            {
                return (HTTPResponse(status: .ok), Data(#"{"number":\#(number)}"#.utf8))
            }
        default: break
        }
        let (response, data) = try await transport.send(request, body: body, responseLimit: responseLimit)
        memory.withLock { $0.lastTag = response.headerFields[.eTag] ?? $0.lastTag }
        return (response, data)
    }

    /// Removes an operation from the file.
    private func delete(_ key: String) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM operation WHERE id = ?", arguments: [key])
            try database.execute(
                sql: """
                    UPDATE operation SET isHead = 1
                    WHERE seq IN (SELECT MIN(seq) FROM operation GROUP BY account, entity)
                    """
            )
        }
    }

    /// Logs the other user in.
    private func strangersToken() async throws -> String {
        if let token = memory.withLock({ $0.token }) { return token }
        let other = World.accounts.first { $0 != account } ?? ""
        let signIn = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1", path: "/sign-in")
        let body = Data(#"{"account":"\#(other)"}"#.utf8)
        let (_, data) = try await transport.send(signIn, body: body, responseLimit: .max)
        let form = try JSONDecoder().decode([String: String].self, from: data)
        let token = "Bearer \(form["access_token"] ?? "")"
        memory.withLock { $0.token = token }
        return token
    }
}
