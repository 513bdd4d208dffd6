import CampusModels
import Foundation
import Testing

struct ModelTests {
    @Test func `an ID is a plain string in JSON`() throws {
        let id: Course.ID = "abc123"
        let json = try JSONEncoder().encode(["id": id])
        #expect(String(decoding: json, as: UTF8.self) == #"{"id":"abc123"}"#)
        #expect(try JSONDecoder().decode([String: Course.ID].self, from: json) == ["id": id])
        #expect("\(id)" == "abc123")
    }

    @Test(arguments: ["00:00", "09:30", "23:59"]) func `a time of day keeps its text`(text: String) throws {
        let time = try #require(TimeOfDay(text))
        #expect(time.description == text)
        let json = try JSONEncoder().encode([time])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([TimeOfDay].self, from: json) == [time])
    }

    @Test(arguments: ["", "9:30", "24:00", "09:60", "09:3", "09:30:00", "+9:30", "0930", "09:30 "])
    func `an invalid text is not a time of day`(text: String) throws {
        #expect(TimeOfDay(text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([TimeOfDay].self, from: json) }
    }

    @Test func `a timestamp is written to the second and read as it is written`() throws {
        let moment = Timestamp(Date(timeIntervalSince1970: 1_000_000_000.9))
        #expect(moment.description == "2001-09-09T01:46:40Z")
        let json = try JSONEncoder().encode([moment])
        #expect(String(decoding: json, as: UTF8.self) == #"["2001-09-09T01:46:40Z"]"#)
        #expect(try JSONDecoder().decode([Timestamp].self, from: json) == [moment])
        #expect(moment < Timestamp(moment.date.addingTimeInterval(1)))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data(#"["yesterday"]"#.utf8))
        }
    }

    @Test func `times of day are ordered`() throws {
        let texts = ["10:00", "09:30", "09:05"]
        #expect(texts.compactMap { TimeOfDay($0) }.sorted().map(\.description) == texts.reversed())
    }

    @Test(arguments: [
        (0, "€0.00"), (5, "€0.05"), (1850, "€18.50"), (-205, "-€2.05"), (Int.min, "-€92233720368547758.08"),
    ])
    func `a price is shown in euros and cents`(cents: Int, text: String) {
        #expect("\(Price(cents: cents))" == text)
    }

    @Test(
        arguments: [
            LoginRequest(email: "secret", password: "secret"),
            RefreshRequest(refreshToken: "secret"),
            TokensResponse(accessToken: "secret", refreshToken: "secret", expiresIn: 300),
        ] as [any Redacted & Sendable]
    )
    func `the description of a value does not contain its credential`(value: any Redacted & Sendable) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped] {
            #expect(!text.contains("secret"))
            #expect(text.contains("\(type(of: value))"))
        }
    }
}
