import BackplaneNetworking
import Foundation
import GRDB
import HTTPTypes

/// The ablation of an outbox that removes an operation from its file before it sends it.
///
/// It changes the file behind the back of the outbox, so the library needs no hook.
struct DeletingTransport: NetworkTransport {
    private let database: DatabaseQueue
    private let transport: SocketTransport

    init(file: String, over transport: SocketTransport) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        database = try DatabaseQueue(path: file, configuration: configuration)
        self.transport = transport
    }

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        if let key = request.headerFields[.idempotencyKey] {
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
        return try await transport.send(request, body: body, responseLimit: responseLimit)
    }
}
