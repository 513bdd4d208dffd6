/// A message of an event stream.
struct StreamMessage: Equatable, Sendable {
    var name = ""
    var id: String?
    var data = ""
}

/// A parser of Server-Sent Events (HTML Living Standard, 9.2), for lines that end with a line feed.
struct EventStreamParser {
    private var line: [UInt8] = []
    private var message = StreamMessage()

    /// Takes the next bytes of the stream, and returns the messages that they complete.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [StreamMessage] {
        var messages: [StreamMessage] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
            } else if line.isEmpty {
                // A message without data is none.
                if !message.data.isEmpty { messages.append(message) }
                message = StreamMessage()
            } else {
                take(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            }
        }
        return messages
    }

    private mutating func take(_ line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let value = String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1])
        switch parts[0] {
        case "event": message.name = value
        case "id": message.id = value
        case "data": message.data += message.data.isEmpty ? value : "\n\(value)"
        // A comment, or the delay before a reconnection.
        default: break
        }
    }
}
