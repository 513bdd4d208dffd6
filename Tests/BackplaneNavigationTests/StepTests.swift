import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct StepTests {
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

    @Test(.rule("V5")) func `the next step comes after 0.65 s if the host reports nothing`() async {
        let window = TestWindow()
        window.root("home")
        window.present("a")
        window.present("b")
        await window.clock.sleepers(atLeast: 1)
        window.clock.advance(by: .milliseconds(649))
        #expect(window.shown == "home / a")
        window.clock.advance(by: .milliseconds(1))
        await waitUntil { window.shown == "home / a / b" }
    }

    @Test(.rule("V5")) func `the time limit of an earlier step does not end a later one`() async {
        let window = TestWindow()
        window.root("home")
        let first = window.present("a")
        await window.clock.sleepers(atLeast: 1)
        window.clock.advance(by: .milliseconds(600))
        window.navigator.layers[1].appeared()
        window.navigator.dismiss(first)
        window.present("b")
        #expect(window.shown == "home")
        await window.clock.sleepers(atLeast: 2)
        // Ends the limit of the first step only, which has run before the limit of the second.
        window.clock.advance(by: .milliseconds(50))
        window.clock.advance(by: .milliseconds(600))
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
        window.navigator.base.cover = nil
        window.present("d")
        #expect(window.shown == "home / d")
        #expect(window.clock.sleeperCount == 0)
    }
}
