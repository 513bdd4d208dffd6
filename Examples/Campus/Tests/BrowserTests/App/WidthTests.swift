import Testing
import WebDriver

/// Tests that every page fits a narrow and a wide window.
@Suite(.timeLimit(.minutes(5)))
struct WidthTests {
    @Test(arguments: zip([320, 1400], [640, 900]))
    func `every page fits its window, and its targets are large enough`(width: Int, height: Int) async throws {
        var options = BrowserOptions()
        options.isMotionReduced = true
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.setViewport(width: width, height: height)
            try await browser.visitEveryPage(of: root) { page in
                #expect(try await browser.executeScript("return innerWidth") == width)
                let problems: [String] = try await browser.executeScript(Self.problems)
                #expect(problems.isEmpty, "\(page) in \(width) pixels")
            }
        }
    }

    /// The minimum of 24 pixels is from WCAG 2.2, 2.5.8, which excepts links in a text.
    private static let problems = """
        const problems = [];
        const report = (text, element) => problems.push(`${text}: ${element.outerHTML.slice(0, 120)}`);
        const isVisible = (element) => element.checkVisibility({visibilityProperty: true});
        const root = document.documentElement;
        if (root.scrollWidth > innerWidth) report(`scrolls to ${root.scrollWidth} pixels`, root);

        for (const element of document.body.querySelectorAll("*")) {
            const {width, height, right} = element.getBoundingClientRect();
            if (isVisible(element) && width && height && right > root.clientWidth + 1) report(`ends at ${right}`, element);
        }

        for (const target of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
            const isInText = getComputedStyle(target).display === "inline" && target.closest("p, li, dd, td");
            if (!isVisible(target) || isInText) continue;
            // A click on the label of a check box is a click on the check box.
            const boxes = [target, ...(target.labels ?? [])].map((element) => element.getBoundingClientRect());
            const width = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
            const height = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
            if (width < 23.9 || height < 23.9) report(`is ${width} by ${height} pixels`, target);
        }

        const canvas = document.createElement("canvas").getContext("2d");
        for (const paragraph of document.querySelectorAll("p")) {
            const style = getComputedStyle(paragraph);
            if (style.display !== "block") continue;
            canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
            const text = document.createRange();
            text.selectNodeContents(paragraph);
            const length = text.getBoundingClientRect().width / canvas.measureText("0").width;
            if (length > 90) report(`has a line of ${length} characters`, paragraph);
        }
        return problems;
        """
}
