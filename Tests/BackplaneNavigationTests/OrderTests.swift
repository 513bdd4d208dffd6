import BackplaneConcurrency
import BackplaneNavigation
import Observation
import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.everyOwnerPath) struct OrderTests {
    /// Orders, the layers that they lead to, and the places that end.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let orders: String
        let layers: String
        let ended: String

        init(_ name: String, _ orders: String, lead layers: String, ends ended: String) {
            testDescription = name
            self.orders = orders
            self.layers = layers
            self.ended = ended
        }
    }

    @Test(
        .rule("V1", "V8", "V9", "V11", "V12", "V13"),
        arguments: [
            Example(
                "a new root replaces all layers and tabs",
                "tabs home search, push course, present picker, root login",
                lead: "login",
                ends: "picker search course home"
            ),
            Example(
                "a layer leaves with all its places and with all layers above",
                "root home, present composer, push draft, present picker, dismiss composer",
                lead: "home",
                ends: "picker draft composer"
            ),
            Example(
                "the places above a dismissed place stay, and a place that has left changes nothing",
                "root home, push login, push course, dismiss login, dismiss login",
                lead: "home course",
                ends: "login"
            ),
            Example(
                "the place above a dismissed root of the base becomes the root",
                "root login, push course, present picker, dismiss login",
                lead: "course / picker",
                ends: "login"
            ),
            Example(
                "the first screen in an empty window becomes the root",
                "root login, dismiss login, push home",
                lead: "home",
                ends: "login"
            ),
            Example(
                "a dismissed root of a tab takes the tab away",
                "tabs home search, select search, dismiss search",
                lead: "home",
                ends: "search"
            ),
            Example(
                "a selected tab keeps the places of the other tabs",
                "tabs home search, push course, present picker, select search, push result, select home",
                lead: "home course",
                ends: "picker"
            ),
            Example(
                "going back drops the layers above",
                "root home, push course, push tutor, present composer, present picker, back course",
                lead: "home course",
                ends: "picker composer tutor"
            ),
            Example(
                "going back finds the highest match, and selects its tab",
                "tabs home search, push course, push course, push tutor, select search, find course",
                lead: "home course course",
                ends: "tutor"
            ),
            Example(
                "going back without a match changes nothing",
                "root home, push course, dismiss course, present picker, find course, back course",
                lead: "home / picker",
                ends: "course"
            ),
            Example(
                "uncovering drops layers down to the highest pinned one",
                "root home, present composer, pin login, present help, uncover",
                lead: "home / composer / login",
                ends: "help"
            ),
        ]
    )
    func `each order has the expected layers and ends`(example: Example) {
        let window = TestWindow(example.orders)
        #expect(window.layers == example.layers)
        #expect(window.ended.joined(separator: " ") == example.ended)
    }

    @Test(.rule("V1")) func `places leave first, and then their lifetimes end, the highest first`() {
        let window = TestWindow("root home")
        var layersAtEnd: [String] = []
        window.push("course") { layersAtEnd.append(window.layers) }
        window.push("tutor") { layersAtEnd.append(window.layers) }
        window.play("present picker, home")
        #expect(window.ended == ["picker", "tutor", "course"])
        #expect(layersAtEnd == ["home", "home"])
        #expect(window["picker"].dismissal == .ordered)
    }

    @Test(.rule("V2")) func `a board completes when its place leaves, and not when a view goes away`() {
        let window = TestWindow()
        let motherboard = Motherboard()
        motherboard.register(.page) { slot in PageBoard(slot: slot, navigator: window.navigator) }
        motherboard.activate(.page, with: "home")
        let course = motherboard.activate(.page, with: "course")
        // Only the stack is redrawn here, for example because its tab was not selected.
        window.navigator.base.stack.appeared()
        window.navigator.base.appeared()
        #expect(course.state == .active)
        window.navigator.base.stack.path = []
        #expect(course.completion?.isCancelled == true)
    }

    @Test(.rule("V7")) func `several places are removed in one change of the path`() {
        let window = TestWindow("root home, push course, push tutor, push mail")
        let changes = PathChanges(of: window.navigator.base.stack)
        changes.watch()
        window.play("back course")
        #expect(changes.count == 1)
        #expect(window.layers == "home course")
    }

    @Test(.rule("V13")) func `uncover returns whether no layer is pinned`() {
        let window = TestWindow("root home, present composer")
        let composer = window.navigator.topLayer
        composer.isPinned = true
        window.present("picker")
        #expect(!window.navigator.uncover())
        #expect(window.layers == "home / composer")
        composer.isPinned = false
        #expect(window.navigator.uncover())
        #expect(window.layers == "home")
        window.navigator.base.isPinned = true
        #expect(!window.navigator.uncover())
    }

    @Test(.rule("V16")) func `after closing, orders return places that have ended`() {
        let window = TestWindow("root home, present picker")
        let motherboard = Motherboard()
        motherboard.register(.page) { slot in PageBoard(slot: slot, navigator: window.navigator) }
        var hasEnded = false
        _ = window.navigator.lifetime.atEnd(OwnerCall(on: MainActor.shared) { hasEnded = true })
        window.play("close, root a, push b, present c, tabs d e")
        #expect(hasEnded)
        #expect(window.ended == ["picker", "home", "a", "b", "c", "d", "e"])
        #expect(["a", "b", "c", "d", "e"].allSatisfy { window[$0].dismissal == .ordered })
        #expect(motherboard.activate(.page, with: "late").completion?.isCancelled == true)
        #expect(window.navigator.places.isEmpty)
        window.navigator.close()
    }

    @Test(.rule("V17")) func `orders that are given while lifetimes end run later, in order`() {
        let window = TestWindow("root home")
        window.push("course") {
            window.navigator.push("farewell")
            window.navigator.present("survey")
            #expect(window.layers == "home")
        }
        window.push("tutor") {
            window.navigator.setRoot("start")
            #expect(window.layers == "home")
        }
        window.play("home")
        #expect(window.ended == ["tutor", "course", "home"])
        #expect(window.layers == "start farewell / survey")
    }

    @Test func `the places of the selected tab are arranged by keys`() {
        let window = TestWindow("push tutor, push home, push course, push old")
        window.navigator.arrange(by: ["home", "missing", "course", "tutor"]) { $0 }
        #expect(window.layers == "home course tutor")
        #expect(window.ended == ["old"])
        window.navigator.arrange(by: ["unknown"]) { $0 }
        #expect(window.layers == "home course tutor")
    }
}

private enum Page: BoardContract {
    typealias Input = String
}

extension BoardID<Page> {
    fileprivate static var page: Self { "page" }
}

private struct PageBoard: Board {
    let slot: Slot<Page>
    let navigator: Navigator<String>

    func activate(with screen: String) {
        pair(with: navigator.push(screen))
    }
}

/// The number of changes of a path.
@MainActor private final class PathChanges {
    private let stack: Stack<String>
    private(set) var count = 0

    init(of stack: Stack<String>) {
        self.stack = stack
    }

    func watch() {
        withObservationTracking {
            _ = stack.path
        } onChange: {
            MainActor.assumeIsolated {
                self.count += 1
                self.watch()
            }
        }
    }
}
