import Testing

@testable import CampusAPI

struct EmailAddressTests {
    @Test(arguments: [
        ("Ada@Campus.Example", "ada@campus.example"),
        ("\t ada@campus.example\u{A0}", "ada@campus.example"),
        ("Zoe\u{308}@campus.example", "zo\u{EB}@campus.example"),
        ("\u{C9}va@campus.example", "\u{E9}va@campus.example"),
    ])
    func `an address has one form, byte for byte`(text: String, normalized: String) throws {
        let address = try EmailAddress(text)
        // Two strings of different bytes can be equal.
        #expect(Array(address.text.utf8) == Array(normalized.utf8))
        #expect(try EmailAddress(address.text) == address)
    }

    @Test(arguments: ["ada\u{0}", "ada\u{0}1", "a\nda", "ada\u{7F}", "ada\u{85}", "\u{202E}ada"])
    func `an address has no control characters`(text: String) {
        #expect(throws: APIFailure.self) { try EmailAddress(text) }
    }

    @Test func `an address has a limited length in bytes`() throws {
        _ = try EmailAddress(String(repeating: "a", count: 254))
        #expect(throws: APIFailure.self) { try EmailAddress(String(repeating: "a", count: 255)) }
        #expect(throws: APIFailure.self) { try EmailAddress("a" + String(repeating: "\u{301}", count: 200)) }
    }
}
