package import Foundation

extension ScriptedServer {
    /// A response: a status, header fields, and a body with a declared length.
    package struct Reply: Sendable {
        package var status: Int
        package var headers: [String: String]
        package var body: Data

        package init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        package static func json(_ text: String, status: Int = 200) -> Reply {
            Reply(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
        }

        package static func status(_ status: Int) -> Reply { Reply(status: status) }

        package var bytes: Data {
            var head = "HTTP/1.1 \(status) Scripted\r\nContent-Length: \(body.count)\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            return Data((head + "\r\n").utf8) + body
        }
    }
}
