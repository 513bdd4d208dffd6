import BackplaneNetworking
import Foundation
import HTTPTypes

extension NetworkTransportContract {
    static let answers: [Clause] = [
        Clause("any status is a response") { trial in
            let transport = try await trial.makeTransport()
            for status in [200, 201, 299, 400, 403, 404, 407, 409, 418, 422, 429, 500, 502, 503, 599] {
                let server = try trial.server { _ in .init(status: status, body: Data("why".utf8)) }
                let answer = try await transport.ask(server)
                try require(
                    answer.head.status.code == status && answer.body == Data("why".utf8),
                    "The server sent \(status) with 3 bytes, but the transport returned \(answer.head.status.code) with \(answer.body.count)."
                )
                try require(server.requests.count == 1, "The request was sent again after status \(status).")
            }
        },
        Clause("a 401 with a challenge is a response, with its body") { trial in
            let transport = try await trial.makeTransport()
            for challenge in [
                "Bearer realm=\"x\"", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Negotiate",
            ] {
                let server = try trial.server { _ in
                    .init(status: 401, headers: ["WWW-Authenticate": challenge], body: Data("why".utf8))
                }
                let (head, body) = try await transport.ask(server)
                try require(
                    head.status.code == 401,
                    "The server sent 401, but the transport returned \(head.status.code)."
                )
                let field = head.headerFields[.wwwAuthenticate]
                try require(
                    field == challenge,
                    "The challenge was \(challenge), but the transport returned \(field ?? "none")."
                )
                try require(
                    body == Data("why".utf8),
                    "The server sent 3 bytes with the challenge \(challenge), but the transport returned \(body.count)."
                )
                try require(server.requests.count == 1, "The request was sent again after the challenge.")
            }
        },
        Clause("a response has all its header fields, repeated ones too") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server(
                sending: """
                    HTTP/1.1 200 OK\r\nContent-Length: 0\r\nVary: accept\r\nVary: origin\r\nETag: "a"\r\n\
                    X-Empty:\r\nVary: cookie\r\n\r\n
                    """
            )
            let fields = try await transport.ask(server).head.headerFields
            let vary = (fields[.vary] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            try require(
                vary == ["accept", "origin", "cookie"],
                "The field had accept, origin, cookie, but the transport returned \(vary)."
            )
            try require(
                fields[.eTag] == "\"a\"",
                "The entity tag was \"a\", but the transport returned \(fields[.eTag] ?? "none")."
            )
        },
        Clause("interim responses are skipped") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server(
                sending: """
                    HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n\
                    HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfinal
                    """
            )
            let answer = try await transport.ask(server)
            try require(
                answer.head.status.code == 200 && answer.body == Data("final".utf8),
                "The server sent 100, 103, and 200 with 5 bytes, but the transport returned \(answer.head.status.code) with \(answer.body.count)."
            )
        },
    ]

    static let redirects: [Clause] = [
        Clause("a redirect is a response and is not followed, so that no credential goes elsewhere") { trial in
            let transport = try await trial.makeTransport()
            for status in [301, 302, 303, 307, 308] {
                let elsewhere = try trial.server { _ in .status(200) }
                let location = "\(elsewhere.url)/stolen"
                let server = try trial.server { _ in .init(status: status, headers: ["Location": location]) }
                for method in [HTTPRequest.Method.get, .post] {
                    let body = method == .post ? Data("s3cret".utf8) : nil
                    let head = try await transport.ask(
                        server,
                        method,
                        fields: [.authorization: "Bearer s3cret"],
                        body: body
                    ).head
                    try require(
                        head.status.code == status && head.headerFields[.location] == location,
                        "The server sent \(status) with a location, but the transport returned \(head.status.code)."
                    )
                }
                try require(elsewhere.requests.isEmpty, "The transport followed the redirect with status \(status).")
            }
        },
        Clause("a redirect within the same server is not followed either") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { request in
                request.target == "/" ? .init(status: 302, headers: ["Location": "/next"]) : .status(200)
            }
            let status = try await transport.ask(server).head.status.code
            try require(status == 302, "The server sent 302, but the transport returned \(status).")
        },
        Clause("a redirect without a valid location is a response") { trial in
            let transport = try await trial.makeTransport()
            for headers in [[:], ["Location": ""], ["Location": "http://[::1/"], ["Location": "//%%%?a b#c#d"]] {
                let server = try trial.server { _ in .init(status: 302, headers: headers) }
                let status = try await transport.ask(server).head.status.code
                try require(status == 302, "The server sent 302, but the transport returned \(status).")
            }
        },
    ]
}
