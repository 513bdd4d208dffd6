import BackplaneConcurrency
import BackplaneNetworking
import Foundation
import HTTPTypes

/// The server of one test: it answers each request as the test says.
final class CacheTestServer: NetworkTransport {
    /// A request that arrived.
    struct Arrival: Sendable {
        let number: Int
        let request: HTTPRequest
        /// The fields of the response that the client must get unchanged.
        let checked: [(name: String, value: String)]
    }

    /// The fields that the server adds to a response.
    static let countField = name("Server-Request-Count")
    static let nowField = name("Server-Now")
    /// The field with the number of a request of the client.
    static let numberField = name("Req-Num")

    private let test: CacheTest
    private let now: @Sendable () -> Date
    private let state = Locked<[Arrival]>([])

    init(_ test: CacheTest, now: @escaping @Sendable () -> Date) {
        self.test = test
        self.now = now
    }

    var arrivals: [Arrival] { state.withLock { $0 } }

    /// The body of responses whose test gives none.
    var defaultBody: String { "the body of \(test.id)" }

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        try Task.checkCancellation()
        let number = request.headerFields[Self.numberField].flatMap { Int($0) } ?? 1
        let wanted = test.requests[number - 1]
        let status = self.status(of: number, for: request)
        var fields = HTTPFields()
        let time = now()
        fields[Self.countField] = "\(arrivals.count + 1)"
        fields[Self.nowField] = "\(Int(time.timeIntervalSince1970))"
        for field in wanted.responseHeaders ?? [] {
            guard let name = HTTPField.Name(field.name) else { continue }
            let value = Self.value(of: field, wanted, at: time, url: request.path ?? "")
            fields.append(HTTPField(name: name, value: value))
        }
        if fields[.contentType] == nil { fields[.contentType] = "text/plain" }
        let checked = (wanted.responseHeaders ?? []).filter(\.isChecked).compactMap { field in
            HTTPField.Name(field.name).flatMap { fields[$0] }.map { (name: field.name, value: $0) }
        }
        state.withLock { $0.append(Arrival(number: number, request: request, checked: checked)) }
        if wanted.disconnects == true { throw URLError(.networkConnectionLost) }
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        guard ![204, 304].contains(status), request.method != .head else { return (head, Data()) }
        var content = Data((wanted.responseBody.map { $0 ?? defaultBody } ?? defaultBody).utf8)
        // A client reads as much as the response declares.
        if let length = fields[.contentLength].flatMap({ Int($0) }) { content = content.prefix(length) }
        return (head, content)
    }

    /// Returns the status of a response: 304 if the test expects a validation and it is right, and
    /// 999 if it is not.
    private func status(of number: Int, for request: HTTPRequest) -> Int {
        let wanted = test.requests[number - 1]
        guard wanted.expectedType?.hasSuffix("validated") == true else { return wanted.status?.code ?? 200 }
        let previous = number > 1 ? test.requests[number - 2].responseHeaders ?? [] : []
        let isRight = previous.contains { field in
            switch field.name.lowercased() {
            case "etag": request.headerFields[.ifNoneMatch].map { sent in sentValue(of: field).contains(sent) } == true
            case "last-modified":
                request.headerFields[.ifModifiedSince].map { sent in sentValue(of: field).contains(sent) } == true
            default: false
            }
        }
        return isRight ? 304 : 999
    }

    /// Returns the values of a field in the responses so far.
    private func sentValue(of field: CacheTestField) -> [String] {
        if case .text(let text) = field.value { return [text] }
        return arrivals.flatMap { $0.checked.filter { $0.name == field.name }.map(\.value) }
    }

    /// Returns the value of a field, with dates and locations filled in.
    static func value(of field: CacheTestField, _ wanted: CacheTestRequest, at time: Date, url: String) -> String {
        let name = field.name.lowercased()
        switch field.value {
        case .number(let number):
            guard dateFields.contains(name) else { return "\(number)" }
            let isObsolete = wanted.obsoleteDates?.contains(name) == true
            return httpDate(time.addingTimeInterval(Double(number)), isObsolete: isObsolete)
        case .text(let text):
            guard wanted.hasFullLocations == true, ["location", "content-location"].contains(name) else { return text }
            return text.isEmpty ? url : "\(url)/\(text)"
        case nil, .equals, .exceeds: return ""
        }
    }

    private static let dateFields: Set<String> = [
        "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
    ]

    private static func httpDate(_ date: Date, isObsolete: Bool) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = isObsolete ? "EEEE, dd-MMM-yy HH:mm:ss 'GMT'" : "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }

    private static func name(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a valid name.") }
        return name
    }
}
