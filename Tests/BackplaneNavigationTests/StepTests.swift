import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)), .everyOwnerPath) struct StepTests {
    @Test(.rule("V5")) func `layers are raised one at a time, each after the layer below has appeared`() {
        let window = TestWindow()
        window.root("home")
        window.present("a")
        window.present("b", as: .cover)
        window.present("c")
        #expect(window.layers == "home / a / b / c")
        #expect(window.shown == "home / a")
        window.navigator.layers[1].appeared()
        #expect(window.shown == "home / a / b")
        window.navigator.layers[1].appeared()
        #expect(window.shown == "home / a / b")
        window.navigator.layers[2].appeared()
        #expect(window.shown == "home / a / b / c")
    }

    @Test(.rule("V5")) func `a chain of layers is dropped in one step`() {
        let window = TestWindow()
        window.root("home")
        let first = window.present("a")
        window.navigator.layers[1].appeared()
        window.present("b")
        window.navigator.layers[2].appeared()
        window.navigator.dismiss(first)
        #expect(window.shown == "home")
    }

    @Test(.rule("V5")) func `the next step comes after 3 s if the host reports nothing`() async {
        let window = TestWindow()
        window.root("home")
        window.present("a")
        window.present("b")
        await window.clock.sleepers(atLeast: 1)
        window.clock.advance(by: .milliseconds(2999))
        #expect(window.shown == "home / a")
        window.clock.advance(by: .milliseconds(1))
        await waitUntil { window.shown == "home / a / b" }
    }

    @Test(.rule("V5")) func `the time limit of an earlier step does not end a later one`() async {
        let window = TestWindow()
        window.root("home")
        let first = window.present("a")
        await window.clock.sleepers(atLeast: 1)
        window.clock.advance(by: .milliseconds(2950))
        window.navigator.layers[1].appeared()
        window.navigator.dismiss(first)
        window.present("b")
        #expect(window.shown == "home")
        await window.clock.sleepers(atLeast: 2)
        // Ends the limit of the first step only, which has run before the limit of the second.
        window.clock.advance(by: .milliseconds(50))
        window.clock.advance(by: .milliseconds(2950))
        await waitUntil { window.shown == "home / b" }
        #expect(window.layers == "home / b")
    }

    @Test(.rule("V6"), arguments: [PresentationStyle.sheet, .cover])
    func `a replaced layer is dropped before the next one is raised`(style: PresentationStyle) {
        let window = TestWindow()
        window.root("home")
        let first = window.present("a", as: style)
        window.navigator.layers[1].appeared()
        window.navigator.dismiss(first)
        window.present("b", as: style)
        #expect(window.layers == "home / b")
        #expect(window.shown == "home")
        window.navigator.base.uncovered()
        #expect(window.shown == "home / b")
    }

    @Test(.rule("V14")) func `before the first appearance, only presentations wait`() {
        let window = TestWindow(appeared: false)
        window.root("home")
        window.push("course")
        window.present("picker")
        #expect(window.layers == "home course / picker")
        #expect(window.shown == "home course")
        window.navigator.base.appeared()
        #expect(window.shown == "home course / picker")
    }

    @Test(.rule("V5")) func `a host without transitions shows each order at once`() {
        let window = TestWindow(pace: .immediate, appeared: false)
        window.root("home")
        let first = window.present("a")
        window.present("b")
        #expect(window.shown == "home / a / b")
        window.navigator.dismiss(first)
        window.present("c", as: .cover)
        #expect(window.shown == "home / c")
        window.navigator.base.cover?.close()
        window.present("d")
        #expect(window.shown == "home / d")
        #expect(window.clock.sleeperCount == 0)
    }

    @Test(.rule("V23")) func `a new root is published before the places above it`() {
        let window = TestWindow()
        let stack = window.navigator.base.stack
        window.root("login")
        stack.appeared()
        window.push("help")
        let login = stack.root
        let home = window.root("home")
        let course = window.push("course")
        #expect(window.layers == "home course")
        #expect(window.navigator.top === course)
        #expect(stack.root === home)
        #expect(stack.path.isEmpty)
        // The host writes what it shows, and reports the old root late.
        stack.path = []
        login?.appeared()
        #expect(stack.path.isEmpty)
        let isPublished = publishes({ stack.path }, during: { home.appeared() })
        #expect(isPublished)
        #expect(stack.path == [course])
        stack.path = []
        #expect(window.layers == "home")
    }

    @Test(.rule("V23")) func `the first drawing of a stack, and a host without transitions, do not wait for a root`() {
        for pace in [PresentationPace.stepwise, .immediate] {
            let window = TestWindow(pace: pace)
            if pace == .immediate { window.navigator.base.stack.appeared() }
            window.root("home")
            let course = window.push("course")
            #expect(window.navigator.base.stack.path == [course])
        }
    }

    @Test(.rule("V23"), arguments: ["push", "dismiss", "arrange"])
    func `each order that changes the root lets the path wait for 3 s at most`(order: String) async {
        let window = TestWindow()
        let stack = window.navigator.base.stack
        stack.appeared()
        let places = ["login", "home", "course"].map { window.push($0) }
        places[0].appeared()
        if order == "dismiss" { window.navigator.dismiss(places[0]) }
        if order == "arrange" { window.navigator.arrange(by: ["home", "login"]) { $0 } }
        if order == "push" {
            window.navigator.dismiss(places[2])
            window.navigator.dismiss(places[1])
            window.navigator.dismiss(places[0])
            window.navigator.push(contentsOf: ["login", "home"])
        }
        #expect(stack.path.isEmpty)
        await window.clock.sleepers(atLeast: 2)
        window.clock.advance(by: .seconds(3))
        await waitUntil { stack.path.count == 1 }
    }

    @Test(.rule("V23")) func `a window without tabs is empty`() {
        let window = TestWindow()
        for tabs in [["home"], ["home", "search"]] {
            for place in window.navigator.setTabs(tabs) { window.follow(place) }
            window.present("picker")
            #expect(window.navigator.setTabs([]).isEmpty)
            #expect(window.navigator.places.isEmpty)
            #expect(window.navigator.base.stacks.count == 1)
        }
        #expect(window.ended == ["picker", "home", "picker", "search", "home"])
        window.push("start")
        #expect(window.navigator.base.stack.root?.screen == "start")
    }
}
