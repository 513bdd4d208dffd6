import Foundation
import HTTPTypes

/// A reader of the requests on a connection, one after the other.
struct RequestReader {
    private let read: () -> Data?
    private let write: (Data) -> Bool
    private var received = Data()

    init(_ socket: Socket) {
        self.init(read: socket.read, write: socket.write)
    }

    /// Creates a reader that calls `read` for the next bytes until it returns `nil`.
    ///
    /// `write` sends bytes to the client and returns whether it could.
    init(read: @escaping () -> Data?, write: @escaping (Data) -> Bool) {
        self.read = read
        self.write = write
    }

    /// Blocks until the next request; returns `nil` on a closed connection or an invalid request.
    mutating func next() -> ScriptedServer.Request? {
        guard let start = nextLine()?.split(separator: " ").map(String.init), start.count == 3 else { return nil }
        var fields = HTTPFields()
        while let line = nextLine() {
            if line.isEmpty {
                guard let body = nextBody(fields) else { return nil }
                return ScriptedServer.Request(method: start[0], target: start[1], fields: fields, body: body)
            }
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, let name = HTTPField.Name(parts[0]) else { continue }
            fields.append(HTTPField(name: name, value: parts[1]))
        }
        return nil
    }

    private mutating func nextBody(_ fields: HTTPFields) -> Data? {
        // A client may wait for this response before it sends a large body.
        if fields[.expect] == "100-continue", !write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) { return nil }
        guard fields[.transferEncoding] == "chunked" else {
            return nextBytes(fields[.contentLength].flatMap { Int($0) } ?? 0)
        }
        var body = Data()
        while let line = nextLine(), let count = Int(line, radix: 16), let chunk = nextBytes(count) {
            guard nextLine() != nil else { return nil }
            if count == 0 { return body }
            body += chunk
        }
        return nil
    }

    private mutating func nextLine() -> String? {
        let newline = Data("\r\n".utf8)
        var end = received.range(of: newline)
        while end == nil {
            guard let data = read() else { return nil }
            received += data
            end = received.range(of: newline)
        }
        guard let end else { return nil }
        defer { received = Data(received[end.upperBound...]) }
        return String(decoding: received[..<end.lowerBound], as: UTF8.self)
    }

    private mutating func nextBytes(_ count: Int) -> Data? {
        // A client may declare a negative length.
        guard count >= 0 else { return nil }
        while received.count < count {
            guard let data = read() else { return nil }
            received += data
        }
        defer { received = Data(received.dropFirst(count)) }
        return Data(received.prefix(count))
    }
}
