import Foundation
import Testing
import WebDriver

/// Tests of the browser driver, against small pages.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BrowserHarnessTests {
    @Test func `a page can be read, typed into and clicked, and the browser goes back`() async throws {
        let form = """
            <title>Form</title><h1>Who are you?</h1>
            <form action="/hello"><input name="name" value="Dr. "><input type="checkbox" checked><button>Go</button></form>
            """
        try await withPages(["/": form, "/hello": "<title>Hello</title><h1>Hello</h1>"]) { url in
            try await withBrowser { browser in
                try await browser.open(url)
                #expect(try await browser.title == "Form")
                let input = try await browser.find("input[name=name]")
                #expect(try await input.attribute("value") == "Dr. ")
                #expect(try await input.attribute("title") == nil)
                #expect(try await browser.find("[type=checkbox]").isSelected)
                try await browser.type("Lovelace", into: "input[name=name]")
                try await browser.click("button", text: "Go")
                #expect(try await browser.waitFor("h1", text: "Hello").text == "Hello")
                #expect(try await browser.currentURL == "\(url)/hello?name=Dr.+Lovelace")
                try await browser.back()
                try await browser.waitFor("h1", text: "Who")
                try await browser.forward()
                try await browser.waitFor("h1", text: "Hello")
                try await browser.back()
                try await browser.waitFor("h1", text: "Who")
                try await browser.refresh()
                try await input.expectStale()
                let error = await #expect(throws: WebDriverError.self) { try await browser.find("h2") }
                #expect(error?.code == .noSuchElement)
                #expect(try await browser.findAll("input").count == 2)
            }
        }
    }

    @Test func `waiting notices changes by scripts, also on the next page`() async throws {
        let live = """
            <p id="old">Old</p><p id="state" hidden>Hidden</p>
            <button onclick="setTimeout(() => {
                document.querySelector('#state').hidden = false;
                document.querySelector('#state').firstChild.data = 'Shown';
                document.querySelector('#old').remove();
            }, 50)">Change</button>
            <a href="javascript:setTimeout(() => location = '/next', 50)">Leave</a>
            """
        try await withPages(["/": live, "/next": "<h1>Next</h1>"]) { url in
            try await withBrowser { browser in
                try await browser.open(url)
                try await browser.waitForAbsence(of: "#state", text: "Hidden")
                try await browser.find("button").click()
                try await browser.waitFor("#state", text: "Shown")
                try await browser.waitForAbsence(of: "#old")
                try await browser.find("a").click()
                try await browser.waitFor("h1", text: "Next")
            }
        }
    }

    @Test func `waiting continues when the browser leaves a page`() async throws {
        let leaving = "<script>setTimeout(() => location = '/third', Math.random() * 60)</script>"
        let pages = ["/first": "<h1>First</h1><a href='/second'>Leave</a>", "/second": leaving, "/third": "<h1>Third"]
        try await withPages(pages) { url in
            try await withBrowser { browser in
                for _ in 1...10 {
                    try await browser.open("\(url)/first")
                    try await browser.executeScript("setTimeout(() => location = '/second', Math.random() * 60)")
                    try await browser.waitFor("h1", text: "Third")
                }
            }
        }
    }

    @Test func `the error for a missing element contains the text of the page`() async throws {
        var options = BrowserOptions()
        options.timeout = .milliseconds(100)
        try await withPages(["/": "<title>Empty</title><p>Nothing here"]) { url in
            try await withBrowser(options) { browser in
                try await browser.open(url)
                let error = await #expect(throws: WebDriverError.self) { try await browser.waitFor("h1", text: "Hi") }
                #expect(error?.code == .timeout)
                for part in ["'h1' with the text 'Hi'", "\(url)/", "Empty", "Nothing here"] {
                    #expect(error?.message.contains(part) == true)
                }
            }
        }
    }

    @Test func `scripts, the console, cookies, tabs and screenshots work`() async throws {
        let page = "<script>console.log('loaded'); throw new Error('oops')</script><h1>Page</h1>"
        try await withPages(["/": page]) { url in
            try await withBrowser { browser in
                try await browser.open(url)
                #expect(try await browser.executeScript("return arguments[0] + 1", [41]) == 42)
                let failure = await #expect(throws: WebDriverError.self) { try await browser.executeScript("throw 1") }
                #expect(failure?.code == .javaScriptError)

                let console = try await browser.takeConsoleEntries()
                #expect(console.contains { $0.level == "INFO" && $0.message.contains("loaded") })
                #expect(console.contains { $0.level == "SEVERE" && $0.message.contains("oops") })
                #expect(try await browser.takeConsoleEntries().isEmpty)

                let cookie = try #require(try await browser.cookies.first)
                #expect(cookie.name == "visited" && cookie.value == "yes")
                #expect(cookie.httpOnly && cookie.sameSite == "Lax" && !cookie.secure)
                try await browser.deleteCookie("visited")
                #expect(try await browser.cookies.isEmpty)

                let first = try await browser.window
                let second = try await browser.newWindow()
                try await browser.switchTo(second)
                #expect(try await browser.findAll("h1").isEmpty)
                #expect(try await browser.windows == [first, second])
                try await browser.closeWindow()
                try await browser.switchTo(first)
                #expect(try await browser.find("h1").text == "Page")

                let file = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
                defer { try? FileManager.default.removeItem(at: file) }
                try await browser.screenshot(to: file)
                #expect(try Data(contentsOf: file).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            }
        }
    }

    @Test func `keys move the focus and type, and elements have the names that are announced`() async throws {
        let page = "<label>City <input></label><button aria-label='Go there'>→</button>"
        try await withPages(["/": page]) { url in
            try await withBrowser { browser in
                try await browser.open(url)
                try await browser.press(.tab)
                #expect(try await browser.focusedElement.accessibleName == "City")
                try await browser.type("Turin 2")
                #expect(try await browser.executeScript("return document.activeElement.value") == "Turin 2")
                try await browser.press(.tab)
                #expect(try await browser.focusedElement.accessibleName == "Go there")
                try await browser.press(.tab, holding: .shift)
                #expect(try await browser.focusedElement.accessibleName == "City")
            }
        }
    }

    @Test func `a page can have the size of a phone, without scroll bars and animations`() async throws {
        var options = BrowserOptions()
        options.isMotionReduced = true
        try await withPages(["/": "<div style='height: 2000px'>Tall</div>"]) { url in
            try await withBrowser(options) { browser in
                try await browser.setViewport(width: 320, height: 640)
                try await browser.open(url)
                let script = "return [document.documentElement.clientWidth, innerHeight]"
                let size: [Int] = try await browser.executeScript(script)
                #expect(size == [320, 640])
                let isMotionReduced = "return matchMedia('(prefers-reduced-motion: reduce)').matches"
                #expect(try await browser.executeScript(isMotionReduced))
            }
        }
    }

    @Test func `a page without JavaScript shows its fallback, and waiting works`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        let page = """
            <noscript><h1>No script</h1></noscript><script>document.write('<h2>Script</h2>')</script>
            <form action="/next"><button>Next</button></form>
            """
        try await withPages(["/": page, "/next": "<h1>Next</h1>"]) { url in
            try await withBrowser(options) { browser in
                try await browser.open(url)
                try await browser.waitFor("h1", text: "No script")
                #expect(try await browser.findAll("h2").isEmpty)
                try await browser.click("button", text: "Next")
                try await browser.waitFor("h1", text: "Next")
            }
        }
    }

    @Test func `a reused browser has no data of the last test`() async throws {
        try await withPages(["/": "<h1>Page</h1>", "/next": "<h1>Next</h1>"]) { url in
            try await withBrowser { browser in
                try await browser.open(url)
                try await browser.executeScript("localStorage.a = sessionStorage.a = 1; console.error('a')")
                try await browser.setViewport(width: 320, height: 500)
                try await browser.open("\(url)/next")
                _ = try await browser.newWindow()
                #expect(try await browser.cookies.count == 1)

                try await browser.reset()
                #expect(try await browser.windows.count == 1)
                #expect(try await browser.currentURL == "about:blank")
                #expect(try await browser.takeConsoleEntries() == [])
                try await browser.back()
                #expect(try await browser.currentURL == "about:blank")
                try await withPages(["/": "<h1>Cookie</h1>"], cookie: nil) { other in
                    try await browser.open(other)
                    #expect(try await browser.cookies == [])
                }
                try await browser.open(url)
                #expect(try await browser.executeScript("return localStorage.length + sessionStorage.length") == 0)
                #expect(try await browser.executeScript("return innerWidth") == 1280)
            }
        }
    }

    @Test func `a cancelled test leaves no browser and no files behind`() async throws {
        let (profiles, continuation) = AsyncStream.makeStream(of: String.self)
        let test = Task {
            try await withBrowser { browser in
                try await browser.open("chrome://version")
                continuation.yield(try await browser.waitFor("#profile_path").text)
                try await browser.waitFor("#nowhere")
            }
        }
        let profile = try #require(await profiles.first { _ in true })
        #expect(FileManager.default.fileExists(atPath: profile))
        test.cancel()
        let error = await #expect(throws: (any Error).self) { try await test.value }
        #expect((error as? WebDriverError)?.code != .timeout)
        try await expectGone(profile)
    }

    @Test func `a test that throws leaves no browser and no files behind`() async throws {
        struct Failure: Error {
            let profile: String
        }
        let failure = await #expect(throws: Failure.self) {
            try await withBrowser { browser in
                try await browser.open("chrome://version")
                throw Failure(profile: try await browser.waitFor("#profile_path").text)
            }
        }
        try await expectGone(try #require(failure?.profile))
    }

    /// Expects that a profile is removed, and that no browser uses it.
    private func expectGone(_ profile: String) async throws {
        let directory = URL(filePath: profile).deletingLastPathComponent().deletingLastPathComponent().path
        #expect(directory.contains("campus-browser-"))
        #expect(!FileManager.default.fileExists(atPath: directory))
        var browsers: [String] = []
        func collect(_ line: String) -> Bool? {
            if line.contains("--user-data-dir=\(directory)"), !line.contains("--type=") { browsers.append(line) }
            return line == "end" ? true : nil
        }
        try await withChildProcess("sh", arguments: ["-c", "ps -e -o args; echo end"], ready: collect) { _, _ in }
        #expect(browsers.isEmpty)
    }
}

extension Element {
    fileprivate func expectStale() async throws {
        let error = await #expect(throws: WebDriverError.self) { try await text }
        #expect(error?.code == .staleElement)
    }
}
