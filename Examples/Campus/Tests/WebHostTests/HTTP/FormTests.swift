import Testing

@testable import WebHost

@Suite struct FormTests {
    @Test func `field names and values are decoded, and the last value of a name counts`() throws {
        let form = try #require(Form("a=1&b+c=%C3%BC+%26&a=2&empty=&bare&&%5Bx%5D=y%3Dz"))
        #expect(form.fields == ["a": "2", "b c": "ü &", "empty": "", "bare": "", "[x]": "y=z"])
    }

    @Test(arguments: ["a=%", "a=%zz", "%f=1", "a=%ff"])
    func `a body with a malformed escape or text is not a form`(_ body: String) {
        #expect(Form(body) == nil)
    }

    @Test func `taking a field removes it from the form`() throws {
        var form = try #require(Form("_csrf=x&a=1"))
        #expect(form.take("_csrf") == "x")
        #expect(form.fields == ["a": "1"])
        #expect(form.take("_csrf") == nil)
    }
}
