import Testing
import WebDriver

/// Tests that the Tab key reaches everything on a page, and that the focus is always visible.
@Suite(.timeLimit(.minutes(5)))
struct FocusTests {
    /// The focused element among the elements that a user can operate.
    private struct Stop: Decodable {
        /// The place in the order of the document; -1 if no such element has the focus.
        let index: Int
        /// The number of these elements on the page, or in the modal dialog if one is open.
        let count: Int
        let isOutlined: Bool
        let element: String
    }

    @Test func `the Tab key reaches each link, button and field in order, with a visible focus`()
        async throws
    {
        var options = BrowserOptions()
        options.isMotionReduced = true
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.visitEveryPage(of: root) { page in
                try await checkOrder(of: page, in: browser)
            }
        }
    }

    @Test func `the first link of a page skips to its content`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/catalog")
            try await browser.waitFor("#section-products li")
            try await browser.press(.tab)
            #expect(try await browser.focusedName == "Skip to the content")
            try await browser.press(.enter)
            #expect(try await browser.executeScript("return document.activeElement.id") == "main")
            try await browser.press(.tab)
            #expect(try await browser.hasFocus(in: "main"))
            try await browser.tab(to: "Skip to the content", backward: true)
        }
    }

    private func checkOrder(of page: String, in browser: Browser) async throws {
        // A dialog or a field may have the focus already; the first element comes after the last.
        var stop = try await nextStop(in: browser)
        var presses = 1
        while stop.index != 0, presses < stop.count + 3 {
            stop = try await nextStop(in: browser)
            presses += 1
        }
        for index in 0..<stop.count {
            guard stop.index == index else {
                Issue.record("\(page): Tab reaches element \(stop.index) instead of \(index): \(stop.element)")
                return
            }
            #expect(stop.isOutlined, "\(page): the focus is invisible: \(stop.element)")
            stop = try await nextStop(in: browser)
        }
        #expect(stop.index <= 0, "\(page): Tab does not leave the last element: \(stop.element)")
    }

    private func nextStop(in browser: Browser) async throws -> Stop {
        try await browser.press(.tab)
        return try await browser.executeScript(Self.stop)
    }

    private static let stop = """
        const page = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
        const stops = [...page.querySelectorAll("a[href], button, input, textarea, select, summary")]
            .filter((element) => element.checkVisibility({visibilityProperty: true}))
            .filter((element) => !element.matches(":disabled") && !element.closest("[inert]"));
        const isOutlined = (element) => {
            const {outlineStyle, outlineWidth, outlineColor} = getComputedStyle(element);
            return outlineStyle !== "none" && parseFloat(outlineWidth) > 0 && !/[,/] 0\\)$/.test(outlineColor);
        };
        // A check box that is drawn by its label or by its neighbor has the outline there.
        const focused = document.activeElement;
        const drawn = [focused, focused.parentElement, focused.nextElementSibling, ...(focused.labels ?? [])];
        return {
            index: stops.indexOf(focused),
            count: stops.length,
            isOutlined: drawn.some((element) => element && isOutlined(element)),
            element: focused.outerHTML.slice(0, 120),
        };
        """
}
