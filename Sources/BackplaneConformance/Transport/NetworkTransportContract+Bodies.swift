import BackplaneNetworking
import Foundation
import HTTPTypes

extension NetworkTransportContract {
    static let bodies: [Clause] = [
        Clause("a body is returned completely, even with eight megabytes") { trial in
            let transport = try await trial.makeTransport()
            let body = Data(pattern: 8 * 1024 * 1024)
            let server = try trial.server { _ in .init(body: body) }
            let answer = try await transport.ask(server, responseLimit: body.count).body
            try require(
                answer == body,
                "The server sent \(body.count) bytes, but the transport returned \(answer.count) bytes or different ones."
            )
        },
        Clause("a body in chunks is returned as one") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _, connection in
                await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
                await connection.send("7;a=b\r\n, world\r\n0\r\n\r\n")
            }
            for _ in 0..<2 {
                let body = String(decoding: try await transport.ask(server).body, as: UTF8.self)
                try require(
                    body == "hello, world",
                    "The server sent “hello, world”, but the transport returned “\(body)”."
                )
            }
        },
        Clause("trailer fields are skipped") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server(
                sending: """
                    HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n
                    """
            )
            for _ in 0..<2 {
                let body = String(decoding: try await transport.ask(server).body, as: UTF8.self)
                try require(
                    body == "hello",
                    "The server sent “hello” and a trailer field, but the transport returned “\(body)”."
                )
            }
        },
        Clause("a body of undeclared length ends with the connection") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server(
                sending: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
                thenHangUp: true
            )
            let body = String(decoding: try await transport.ask(server).body, as: UTF8.self)
            try require(body == "hello", "The server sent “hello”, but the transport returned “\(body)”.")
        },
        Clause("204, 304 and the response to HEAD have no body, even if they declare a length") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { request, connection in
                switch request.target {
                case "/204": await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                case "/304":
                    await connection.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\n")
                case "/head": await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
                default: await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")
                }
            }
            let cases = [(HTTPRequest.Method.get, "/204", 204), (.get, "/304", 304), (.head, "/head", 200)]
            for (method, path, status) in cases {
                let answer = try await transport.ask(server, method, path)
                try require(
                    answer.head.status.code == status && answer.body.isEmpty,
                    "The response to \(method) was \(status) without a body, but the transport returned \(answer.head.status.code) with \(answer.body.count) bytes."
                )
                let next = try await transport.ask(server, .get, "/next").body
                try require(next == Data("next".utf8), "The response after \(status) was not read from its beginning.")
            }
        },
    ]
}
