import BackplaneConcurrency
import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// A transport over one blocking socket for each request.
///
/// On Linux, `URLSessionTransport` ends the process when a server closes the connection early, and
/// the server of this program does so all the time.
struct SocketTransport: NetworkTransport {
    /// The error of a connection that ended before the response was complete.
    struct ConnectionLost: Error {}

    let port: UInt16

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let socket = try Socket.connected(to: port)
        // The thread sanitizer does not see the order in a continuation that a thread resumes
        // before the task is suspended, so the response passes through a lock.
        let response = Locked<Result<(HTTPResponse, Data), any Error>>(.failure(ConnectionLost()))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let result = Result { try Self.exchange(request, body ?? Data(), over: socket) }
                    response.withLock { $0 = result }
                    continuation.resume()
                }
            }
        } onCancel: {
            socket.shutDown()
        }
        return try response.withLock { $0 }.get()
    }

    private static func exchange(
        _ request: HTTPRequest,
        _ body: Data,
        over socket: Socket
    ) throws -> (HTTPResponse, Data) {
        var head = "\(request.method.rawValue) \(request.path ?? "/") HTTP/1.1\r\n"
        head += "Host: \(request.authority ?? "127.0.0.1")\r\nContent-Length: \(body.count)\r\n"
        for field in request.headerFields { head += "\(field.name.rawName): \(field.value)\r\n" }
        guard socket.write(Data((head + "\r\n").utf8) + body) else { throw ConnectionLost() }
        var received = Data()
        while true {
            guard let more = socket.read() else { throw ConnectionLost() }
            received += more
            if let response = response(in: received) { return response }
        }
    }

    /// Returns the response, or `nil` if it is not complete.
    private static func response(in received: Data) -> (HTTPResponse, Data)? {
        guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines.first?.split(separator: " ").dropFirst().first
        guard let status = start.flatMap({ Int($0) }) else { return nil }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, let name = HTTPField.Name(parts[0]) else { continue }
            fields.append(HTTPField(name: name, value: parts[1]))
        }
        let body = received[end.upperBound...]
        guard let length = fields[.contentLength].flatMap({ Int($0) }), body.count >= length else { return nil }
        return (
            HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields), Data(body.prefix(length))
        )
    }
}
