import Testing

@testable import WebHost

@Suite struct FormTests {
    @Test func `field names and values are decoded, and the last value of a name counts`() throws {
        let form = try #require(Form("a=1&b+c=%C3%BC+%26&a=2&empty=&bare&&%5Bx%5D=y%3Dz"))
        #expect(form.fields == ["a": "2", "b c": "ü &", "empty": "", "bare": "", "[x]": "y=z"])
    }

    @Test func `control characters are removed from names and values, except tabs and line ends`() throws {
        let form = try #require(Form("a%01b=x%0By%7F%C2%85z&text=1%092%0D%0A3&accent=e%CC%81"))
        #expect(form.fields == ["ab": "xyz", "text": "1\t2\r\n3", "accent": "e\u{301}"])
    }

    @Test(arguments: ["a=%", "a=%zz", "%f=1", "a=%ff", "a=x%00", "a%00=x", "a=%00%CC%81", "a=x\0y"])
    func `a body with a malformed escape or text, or with a NUL, is not a form`(_ body: String) {
        #expect(Form(body) == nil)
    }

    @Test func `taking a field removes it from the form`() throws {
        var form = try #require(Form("_csrf=x&a=1"))
        #expect(form.take("_csrf") == "x")
        #expect(form.fields == ["a": "1"])
        #expect(form.take("_csrf") == nil)
    }
}
