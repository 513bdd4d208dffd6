import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

extension NetworkTransportContract {
    static let brokenAnswers: [Clause] = [
        Clause("a server that hangs up without a response is an error") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server(sending: "", thenHangUp: true)
            for method in [HTTPRequest.Method.get, .post] {
                try await transport.requireError(from: server, method, because: "The server hung up without a response")
            }
        },
        Clause("a response that breaks off before its body is an error") { trial in
            let transport = try await trial.makeTransport()
            for text in ["HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Ty"] {
                let server = try trial.server(sending: text, thenHangUp: true)
                try await transport.requireError(from: server, because: "The server hung up in the middle of the head")
            }
        },
        Clause("a body that breaks off is an error, not a short response") { trial in
            let transport = try await trial.makeTransport()
            let answers = [
                "Content-Length: 10\r\n\r\n12345",
                "Content-Length: 10\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
                "Transfer-Encoding: chunked\r\n\r\nA\r\n12345",
                "Transfer-Encoding: chunked\r\n\r\n",
            ]
            for answer in answers {
                let server = try trial.server(sending: "HTTP/1.1 200 OK\r\n\(answer)", thenHangUp: true)
                try await transport.requireError(from: server, because: "The server hung up in the middle of the body")
            }
        },
        Clause("bytes after the declared length are part of no response") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { request, connection in
                let text =
                    request.target == "/first" ? "firstHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbogus" : "other"
                await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\(text)")
            }
            // The extra bytes may make this call fail, but they must not become a body.
            if let first = try? await transport.ask(server, .get, "/first").body {
                try require(
                    first == Data("first".utf8),
                    "Five bytes were declared, but the transport returned \(first.count) bytes or different ones."
                )
            }
            if let other = try? await transport.ask(server, .get, "/other").body {
                try require(
                    other == Data("other".utf8),
                    "The bytes after the first response were returned as the second one."
                )
            }
            let last = try await transport.ask(server, .get, "/last").body
            try require(
                last == Data("other".utf8),
                "The bytes after the first response were returned as the third one."
            )
        },
        Clause("a response that is not HTTP is an error") { trial in
            let transport = try await trial.makeTransport()
            let answers = [
                "\u{0}\u{1}\u{2} garbage\r\n\r\n", "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 OK\r\n\r\n",
                "HTTP/1.1 99999 Many\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 -20 Few\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
            ]
            for answer in answers {
                let server = try trial.server(sending: answer, thenHangUp: true)
                try await transport.requireError(from: server, because: "The server sent \(answer.debugDescription)")
            }
        },
        Clause("endless header fields are an error, and the connection is closed") { trial in
            let transport = try await trial.makeTransport()
            let sent = Watched<Int?>(nil)
            let server = try trial.server { _, connection in
                await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")
                let field = "X-Padding: \(String(repeating: "x", count: 8 * 1024))\r\n"
                let count = await connection.flood(with: Data(field.utf8), upTo: enough)
                await connection.send("\r\n")
                sent.update { $0 = count }
            }
            try await transport.requireError(from: server, because: "The server sent endless header fields")
            await sent.wait { $0 != nil }
            try require((sent.value ?? enough) < enough, "The transport read \(enough) bytes of header fields.")
        },
    ]
}
