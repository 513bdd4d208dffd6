import BackplaneNetworking
import Foundation
import HTTPTypes

extension NetworkTransportContract {
    static let requests: [Clause] = [
        Clause("a request arrives with its method, path and query") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .status(200) }
            let paths = ["/", "/a/b%2Fc%20d//e;f=1", "/a?b=c%26d&e=%2F?&f=+", "/%E1%BB%87?%C3%A9"]
            let methods = [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options]
            for method in methods { for path in paths { _ = try await transport.ask(server, method, path) } }
            let expected = methods.flatMap { method in paths.map { "\(method) \($0)" } }
            let arrived = server.requests.map { "\($0.method) \($0.target)" }
            try require(arrived == expected, "\(expected) was sent, but \(arrived) arrived.")
        },
        Clause("a request arrives with its header fields") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .status(200) }
            guard let name = HTTPField.Name("X-Contract") else { return }
            var fields: HTTPFields = [
                .authorization: "Bearer abc.def", .accept: "text/plain;q=0.5, */*", .range: "bytes=0-9",
            ]
            fields.append(HTTPField(name: name, value: "one"))
            fields.append(HTTPField(name: name, value: "two"))
            _ = try await transport.ask(server, fields: fields)
            let arrived = server.requests.first?.fields ?? [:]
            // Several fields with one name may be joined on the way (RFC 9110, section 5.3).
            for name in Set(fields.map(\.name)) where arrived.list(name) != fields.list(name) {
                throw ContractViolation(
                    description: "\(name): \(fields.list(name)) was sent, but \(arrived.list(name)) arrived."
                )
            }
        },
        Clause("a body arrives unchanged, even with four megabytes") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .status(200) }
            let bodies = [Data(), Data([0, 13, 10, 255]), Data(pattern: 4 * 1024 * 1024)]
            for body in bodies { _ = try await transport.ask(server, .post, body: body) }
            let arrived = server.requests.map(\.body)
            try require(
                arrived == bodies,
                "\(bodies.map(\.count)) bytes were sent, but \(arrived.map(\.count)) bytes or different ones arrived."
            )
        },
        Clause("each of many concurrent requests gets its own response") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { .init(body: $0.body) }
            try await withThrowingTaskGroup { group in
                for number in 0..<64 {
                    group.addTask {
                        let body = Data("number \(number)".utf8)
                        let answer = try await transport.ask(server, .post, body: body).body
                        try require(answer == body, "Request \(number) got the response to another request.")
                    }
                }
                try await group.waitForAll()
            }
        },
        Clause("no fields are added that say something about the request") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .status(200) }
            for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                let body = method == .post || method == .put ? Data("text".utf8) : nil
                _ = try await transport.ask(server, method, fields: [.ifMatch: "\"1\""], body: body)
            }
            for request in server.requests {
                let added = Set(request.headers.keys).subtracting(fieldsOfClients).subtracting(["if-match"])
                try require(
                    added.isEmpty,
                    "\(request.method) had only If-Match, but it arrived with \(added.sorted()), too."
                )
            }
        },
        Clause("cookies are neither stored nor sent") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in .init(headers: ["Set-Cookie": "id=1; Path=/"]) }
            for _ in 0..<2 { _ = try await transport.ask(server) }
            let cookies = server.requests.compactMap { $0.headers["cookie"] }
            try require(cookies.isEmpty, "The requests had no cookies, but \(cookies) arrived.")
        },
        Clause("nothing is cached") { trial in
            let transport = try await trial.makeTransport()
            let server = try trial.server { _ in
                .init(headers: ["Cache-Control": "max-age=3600", "ETag": "\"1\""], body: Data("x".utf8))
            }
            for _ in 0..<2 { _ = try await transport.ask(server) }
            try require(server.requests.count == 2, "Only the first of two equal requests was sent.")
            let isConditional = server.requests.contains { $0.headers["if-none-match"] != nil }
            try require(!isConditional, "The transport made the second request conditional on the first response.")
        },
    ]

    /// The fields about the connection, the client and the form of the messages, in lower case.
    private static let fieldsOfClients: Set = [
        "host", "connection", "content-length", "transfer-encoding", "user-agent", "accept", "accept-encoding",
        "accept-language",
    ]
}

extension HTTPFields {
    /// Returns the members of the list that all fields with this name form together.
    fileprivate func list(_ name: HTTPField.Name) -> [String] {
        (self[name] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension Data {
    /// Creates bytes that reveal lost or swapped bytes.
    init(pattern count: Int) {
        self.init((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    }
}
