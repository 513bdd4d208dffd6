import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// An HTTP/1.1 server on a real loopback socket that answers as a test tells it to, and records what it was asked.
///
/// The script is asynchronous, so a test holds an answer back by waiting in it. Connections are kept alive.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        let target: String
        /// By lower-case name.
        let headers: [String: String]
        let body: Data

        var bearer: String? { headers["authorization"].map { String($0.dropFirst("Bearer ".count)) } }
    }

    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = Data()

        static func json(_ text: String, status: Int = 200) -> Reply {
            Reply(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
        }

        static func status(_ status: Int) -> Reply { Reply(status: status) }
    }

    struct Journal: Sendable {
        var requests: [Request] = []
        /// Connections that the client has closed.
        var hangUps = 0
    }

    typealias Script = @Sendable (Request) async -> Reply

    let journal = Watched(Journal())
    let port: UInt16
    private let listener: Socket
    private let script: Script

    init(_ script: @escaping Script) throws {
        listener = try Socket.listening()
        port = try listener.port
        self.script = script
        Thread.detachNewThread { [listener, journal, script] in
            while let connection = listener.accept() {
                Thread.detachNewThread { Self.serve(connection, script, journal) }
            }
        }
    }

    deinit { listener.shutDown() }

    var url: String { "http://127.0.0.1:\(port)" }

    var requests: [Request] { journal.value.requests }

    /// Suspends until `count` requests have arrived.
    func requests(atLeast count: Int) async {
        await journal.wait { $0.requests.count >= count }
    }

    private static func serve(_ connection: Socket, _ script: @escaping Script, _ journal: Watched<Journal>) {
        var received = Data()
        while let request = nextRequest(from: connection, &received) {
            journal.update { $0.requests.append(request) }
            // The client sends its next request when it has this answer, so the thread may as well read on: that is
            // how it notices a client that hangs up.
            Task { connection.send(encoded(await script(request))) }
        }
        journal.update { $0.hangUps += 1 }
    }

    private static func nextRequest(from connection: Socket, _ received: inout Data) -> Request? {
        let separator = Data("\r\n\r\n".utf8)
        var end = received.range(of: separator)
        while end == nil {
            guard let data = connection.receive() else { return nil }
            received += data
            end = received.range(of: separator)
        }
        guard let end else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        received = Data(received[end.upperBound...])
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while received.count < length {
            guard let data = connection.receive() else { return nil }
            received += data
        }
        let body = Data(received.prefix(length))
        received = Data(received.dropFirst(length))
        let start = lines[0].split(separator: " ").map(String.init)
        guard start.count == 3 else { return nil }
        return Request(method: start[0], target: start[1], headers: headers, body: body)
    }

    private static func encoded(_ reply: Reply) -> Data {
        var head = "HTTP/1.1 \(reply.status) Scripted\r\nContent-Length: \(reply.body.count)\r\n"
        for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
        return Data((head + "\r\n").utf8) + reply.body
    }
}
