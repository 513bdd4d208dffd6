import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)), .everyOwnerPath) struct StepTests {
    @Test(.rule("V5")) func `layers are raised one at a time, each after the layer below has appeared`() {
        let window = TestWindow("root home, present a, cover b, present c")
        #expect(window.layers == "home / a / b / c")
        #expect(window.shown == "home / a")
        window.navigator.layers[1].appeared()
        #expect(window.shown == "home / a / b")
        window.navigator.layers[1].appeared()
        #expect(window.shown == "home / a / b")
        window.navigator.layers[2].appeared()
        #expect(window.shown == "home / a / b / c")
    }

    @Test(.rule("V5")) func `several layers are removed in one step`() {
        let window = TestWindow("root home, present a, appear, present b, appear, dismiss a")
        #expect(window.shown == "home")
    }

    @Test(.rule("V5")) func `the next step comes after 3 s if the host reports nothing`() async {
        let window = TestWindow("root home, present a, present b")
        await window.clock.sleepers(atLeast: 1)
        window.clock.advance(by: .milliseconds(2999))
        #expect(window.shown == "home / a")
        window.clock.advance(by: .milliseconds(1))
        await waitUntil { window.shown == "home / a / b" }
    }

    @Test(.rule("V5")) func `the time limit of an earlier step does not end a later one`() async {
        let window = TestWindow("root home, present a")
        await window.clock.sleepers(atLeast: 1)
        window.clock.advance(by: .milliseconds(2950))
        window.play("appear, dismiss a, present b")
        #expect(window.shown == "home")
        await window.clock.sleepers(atLeast: 2)
        // Ends the limit of the first step only, which has run before the limit of the second.
        window.clock.advance(by: .milliseconds(50))
        window.clock.advance(by: .milliseconds(2950))
        await waitUntil { window.shown == "home / b" }
        #expect(window.layers == "home / b")
    }

    @Test(.rule("V6"), arguments: ["present", "cover"])
    func `a replaced layer is removed before the next one is raised`(order: String) {
        let window = TestWindow("root home, \(order) a, appear, dismiss a, \(order) b")
        #expect(window.layers == "home / b")
        #expect(window.shown == "home")
        window.navigator.base.uncovered()
        #expect(window.shown == "home / b")
    }

    @Test(.rule("V14")) func `before the first appearance, only presentations wait`() {
        let window = TestWindow("root home, push course, present picker", appeared: false)
        #expect(window.layers == "home course / picker")
        #expect(window.shown == "home course")
        window.navigator.base.appeared()
        #expect(window.shown == "home course / picker")
    }

    @Test(.rule("V5")) func `a host without transitions shows each order at once`() {
        let window = TestWindow("root home, present a, present b", hasTransitions: false, appeared: false)
        #expect(window.shown == "home / a / b")
        window.play("dismiss a, cover c")
        #expect(window.shown == "home / c")
        window.play("end, present d")
        #expect(window.shown == "home / d")
        #expect(window.clock.sleeperCount == 0)
    }

    @Test(.rule("V23")) func `a new root is published before the places above it`() {
        let window = TestWindow("root login")
        let stack = window.navigator.base.stack
        stack.appeared()
        window.play("push help, root home, push course")
        let (home, course) = (window["home"], window["course"])
        #expect(window.layers == "home course")
        #expect(window.navigator.top === course)
        #expect(stack.root === home)
        #expect(stack.path.isEmpty)
        // The host writes what it shows, and reports the old root late.
        stack.path = []
        window["login"].appeared()
        #expect(stack.path.isEmpty)
        let isPublished = publishes({ stack.path }, during: { home.appeared() })
        #expect(isPublished)
        #expect(stack.path == [course])
        stack.path = []
        #expect(window.layers == "home")
    }

    @Test(.rule("V23"), arguments: [true, false])
    func `a stack that is drawn first, and a host without transitions, do not wait for a root`(hasTransitions: Bool) {
        let window = TestWindow(hasTransitions: hasTransitions)
        if !hasTransitions { window.navigator.base.stack.appeared() }
        window.play("root home, push course")
        #expect(window.navigator.base.stack.path == [window["course"]])
    }

    @Test(.rule("V23")) func `a root that is replaced before the host reports it is published before its path`() {
        let window = TestWindow("root login, root home, push course")
        let stack = window.navigator.base.stack
        #expect(stack.path.isEmpty)
        window["home"].appeared()
        #expect(stack.path == [window["course"]])
    }

    @Test(.rule("V23"), arguments: ["dismiss search", "root home"])
    func `the last tab is published before its path`(orders: String) {
        let window = TestWindow("root login, tabs home search, \(orders), push course")
        let stack = window.navigator.base.stack
        #expect(stack.path.isEmpty)
        window["home"].appeared()
        #expect(stack.path == [window["course"]])
    }

    @Test(
        .rule("V23"),
        arguments: ["dismiss login", "dismiss course, dismiss home, dismiss login, push login, push home", "arrange"]
    )
    func `after each order that changes the root, the path waits for 3 s at most`(orders: String) async {
        let window = TestWindow()
        let stack = window.navigator.base.stack
        stack.appeared()
        window.play("push login, push home, push course")
        window["login"].appeared()
        if orders == "arrange" {
            window.navigator.arrange(by: ["home", "login"]) { $0 }
        } else {
            window.play(orders)
        }
        #expect(stack.path.isEmpty)
        await window.clock.sleepers(atLeast: 2)
        window.clock.advance(by: .seconds(3))
        await waitUntil { stack.path.count == 1 }
    }

    @Test(.rule("V23"), arguments: ["home", "home search"])
    func `a window without tabs is empty`(tabs: String) {
        let window = TestWindow("tabs \(tabs), present picker, tabs")
        #expect(window.navigator.places.isEmpty)
        #expect(window.navigator.base.stacks.count == 1)
        #expect(window.ended == ["picker"] + tabs.split(separator: " ").map(String.init).reversed())
        window.push("start")
        #expect(window.navigator.base.stack.root?.screen == "start")
    }
}
