import BackplaneNetworking
import Foundation
import HTTPTypes

/// The server of the club as a part of the program, so that nothing else has to run.
///
/// It knows a seat until the program ends. The password of every member is "pond".
actor DemoServer: NetworkTransport {
    private static let meetings = [
        Meeting(id: "1", book: "Walden", day: "Tuesday"), Meeting(id: "2", book: "Emma", day: "Friday"),
    ]

    private var seats: [String: Seat] = [:]
    /// Whether the server has seats: without them, it is as if there was no network for them.
    private var knowsSeats = true

    func goOffline() { knowsSeats = false }

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let path = (request.path ?? "").split(separator: "/").map(String.init)
        let body = body.flatMap { try? JSONDecoder().decode([String: JSONValue].self, from: $0) } ?? [:]
        let member = request.headerFields[.authorization]?.split(separator: " ").last.map(String.init)
        switch (path.first, path.count) {
        case ("tokens", 1):
            guard body["password"]?.text == "pond", let name = body["name"]?.text else {
                return try refusal("The name or the password is wrong.")
            }
            return try answer(["access_token": name, "refresh_token": name])
        case ("me", 1): return try answer(["id": member ?? "", "name": member ?? ""])
        case ("meetings", 1): return try answer(Self.meetings)
        case ("meetings", 2): return try answer(Self.meetings.first { $0.id == path[1] })
        case ("meetings", 3):
            guard knowsSeats else { throw URLError(.notConnectedToInternet) }
            if request.method == .put {
                guard let guests = body["guests"]?.number, guests <= 2 else {
                    return try refusal("A member may bring two guests.")
                }
                seats[path[1]] = Seat(id: path[1], guests: guests)
            }
            return try answer(seats[path[1]] ?? Seat(id: path[1], guests: nil))
        default: return (HTTPResponse(status: .notFound), Data())
        }
    }

    private func answer(_ value: some Encodable) throws -> (HTTPResponse, Data) {
        (HTTPResponse(status: .ok), try JSONEncoder().encode(value))
    }

    private func refusal(_ reason: String) throws -> (HTTPResponse, Data) {
        (HTTPResponse(status: .unprocessableContent), try JSONEncoder().encode(["detail": reason]))
    }
}

/// A text or a number of a request.
private nonisolated enum JSONValue: Decodable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let number) = self { number } else { nil } }
}
