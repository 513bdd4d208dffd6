import Testing

@testable import WebHost

@Suite struct AddressTests {
    @Test(arguments: [
        ("/a", "/a", nil), ("/a?b=1", "/a?b=1", nil), ("/a?_window=x", "/a", "x"),
        ("/a?_window=x&b=%zz", "/a?b=%zz", "x"),
        ("/a?b&&_window=x&c", "/a?b&&c", "x"), ("/a?my_window=x", "/a?my_window=x", nil), ("/a?", "/a?", nil),
    ])
    func `the window's parameter is removed, and the rest of the target stays unchanged`(
        _ target: String,
        _ link: String,
        _ id: String?
    ) {
        let result = Address.removingWindow(from: target)
        #expect(result.link == link)
        #expect(result.window?.secret.digits == id)
    }

    @Test func `a window added to a path is found in the path`() {
        let window = WindowID(secret: .random())
        for path in ["/", "/a", "/a?b=1"] {
            let result = Address.removingWindow(from: Address.adding(window: window, page: nil, to: path))
            #expect(result.link == path)
            #expect(result.window == window)
            #expect(result.page == nil)
            let page = Secret.random()
            let both = Address.removingWindow(from: Address.adding(window: window, page: page, to: path))
            #expect(both.link == path)
            #expect(both.window == window && both.page == page)
        }
        #expect(Address.window(inEventsPath: Address.events(of: window)[...]) == window)
    }

    @Test(arguments: ["", "a", "\r\nSet-Cookie: session=12345678901", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"])
    func `a key of a page that the host cannot have made is none`(_ text: String) {
        #expect(PageKey.read(text) == nil)
    }

    @Test(arguments: ["//evil.example", "/\\evil.example", "https://evil.example", "", "/a\r\nSet-Cookie: x", "/a b"])
    func `a redirect never leaves the site`(_ path: String) {
        #expect(Address.local(path) == "/")
    }

    @Test func `a redirect to a path of the site is kept`() {
        #expect(Address.local("/course/a%20b?tab=1") == "/course/a%20b?tab=1")
    }
}
