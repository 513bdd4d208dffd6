import BackplaneConcurrency
import BackplaneNavigation
import Observation
import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.everyOwnerPath) struct OrderTests {
    @Test(.rule("V1")) func `an order changes the navigator before it returns`() {
        let window = TestWindow()
        window.root("home")
        window.push("course")
        #expect(window.layers == "home course")
        window.present("picker")
        #expect(window.layers == "home course / picker")
        #expect(window.navigator.top?.screen == "picker")
    }

    @Test(.rule("V1"), arguments: [false, true])
    func `places leave first, and then their lifetimes end before the order returns, the highest first`(hops: Bool) {
        // Before macOS 26 and its sibling releases, code cannot ask which actor it runs on.
        OwnerCall.alwaysHops.withValue(hops) {
            let window = TestWindow()
            var layersAtEnd: [String] = []
            window.root("home")
            for screen in ["course", "tutor"] {
                window.follow(window.navigator.push(screen)) { layersAtEnd.append(window.layers) }
            }
            let sheet = window.follow(window.navigator.present("picker")) { layersAtEnd.append(window.layers) }
            window.navigator.returnHome()
            #expect(window.ended == ["picker", "tutor", "course"])
            #expect(layersAtEnd == ["home", "home", "home"])
            #expect(sheet.dismissal == .ordered)
        }
    }

    @Test(.rule("V1")) func `a new root replaces all layers and tabs`() {
        let window = TestWindow(pace: .immediate)
        for place in window.navigator.setTabs(["home", "search"]) { window.follow(place) }
        window.push("course")
        window.present("picker")
        window.root("login")
        #expect(window.layers == "login")
        #expect(window.navigator.places.map(\.screen) == ["login"])
        #expect(window.ended == ["picker", "search", "course", "home"])
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

    @Test(.rule("V7")) func `several places are pushed and removed in one change of the path`() {
        let window = TestWindow()
        window.root("home")
        let stack = window.navigator.base.stack
        var paths: [Int] = []
        func watch() {
            withObservationTracking {
                _ = stack.path
            } onChange: {
                MainActor.assumeIsolated { paths.append(1) }
            }
        }
        watch()
        let places = window.navigator.push(contentsOf: ["course", "tutor", "mail"])
        #expect(paths.count == 1)
        watch()
        window.navigator.back(to: places[0])
        #expect(paths.count == 2)
        #expect(window.layers == "home course")
        #expect(places.map(\.dismissal) == [nil, .ordered, .ordered])
    }

    @Test(.rule("V8")) func `a layer leaves with all its places and with all layers above`() {
        let window = TestWindow()
        window.root("home")
        let sheet = window.present("composer")
        window.push("draft")
        window.present("picker")
        window.navigator.dismiss(sheet)
        #expect(window.layers == "home")
        #expect(window.ended == ["picker", "draft", "composer"])
    }

    @Test(.rule("V9")) func `the places above a dismissed place stay`() {
        let window = TestWindow()
        window.root("home")
        let login = window.push("login")
        window.push("course")
        window.navigator.dismiss(login)
        #expect(window.layers == "home course")
        #expect(window.ended == ["login"])
        window.navigator.dismiss(login)
        #expect(window.ended == ["login"])
    }

    @Test(.rule("V9")) func `the place above a dismissed root of the base becomes the root`() {
        let window = TestWindow()
        let login = window.root("login")
        window.push("course")
        let sheet = window.present("picker")
        window.navigator.dismiss(login)
        #expect(window.layers == "course / picker")
        #expect(sheet.dismissal == nil)
        window.navigator.back(where: { $0 == "course" }).map(window.navigator.dismiss)
        #expect(window.layers == "")
        #expect(window.navigator.top == nil)
        window.push("home")
        #expect(window.navigator.base.stack.root?.screen == "home")
    }

    @Test(.rule("V9")) func `a dismissed root of a tab takes the tab away`() {
        let window = TestWindow()
        let tabs = window.navigator.setTabs(["home", "search"])
        window.navigator.select(tabs[1])
        window.navigator.dismiss(tabs[1])
        #expect(window.navigator.base.stacks.count == 1)
        #expect(window.layers == "home")
    }

    @Test(.rule("V11")) func `a selected tab keeps the places of the other tabs`() {
        let window = TestWindow()
        let tabs = window.navigator.setTabs(["home", "search"]).map { window.follow($0) }
        window.push("course")
        window.present("picker")
        window.navigator.select(tabs[1])
        #expect(window.layers == "search")
        window.push("result")
        window.navigator.select(tabs[0])
        #expect(window.layers == "home course")
        #expect(window.ended == ["picker"])
    }

    @Test(.rule("V12")) func `going back drops the layers above`() {
        let window = TestWindow()
        window.root("home")
        let course = window.push("course")
        window.push("tutor")
        window.present("composer")
        window.present("picker")
        window.navigator.back(to: course)
        #expect(window.layers == "home course")
        #expect(window.ended == ["picker", "composer", "tutor"])
    }

    @Test(.rule("V12")) func `going back finds the highest match, and selects its tab`() {
        let window = TestWindow()
        let tabs = window.navigator.setTabs(["home", "search"])
        window.push("course")
        window.push("course")
        let highest = window.navigator.top
        window.push("tutor")
        window.navigator.select(tabs[1])
        #expect(window.navigator.back { $0 == "course" } == highest)
        #expect(window.layers == "home course course")
    }

    @Test(.rule("V12")) func `going back without a match changes nothing`() {
        let window = TestWindow()
        window.root("home")
        let gone = window.push("course")
        window.navigator.dismiss(gone)
        window.present("picker")
        #expect(window.navigator.back { $0 == "course" } == nil)
        window.navigator.back(to: gone)
        #expect(window.layers == "home / picker")
    }

    @Test func `a place removes itself, and does nothing after it has left`() {
        let window = TestWindow()
        window.root("home")
        let course = window.push("course")
        window.push("tutor")
        course.dismiss()
        #expect(window.layers == "home tutor")
        course.dismiss()
        #expect(window.ended == ["course"])
    }

    @Test(.rule("V16")) func `after closing, orders return places that have ended`() {
        let window = TestWindow()
        let motherboard = Motherboard()
        motherboard.register(.page) { slot in PageBoard(slot: slot, navigator: window.navigator) }
        window.root("home")
        window.present("picker")
        let keeper = Lifetimes(window.navigator)
        window.navigator.close()
        #expect(window.ended == ["picker", "home"])
        #expect(keeper.hasEnded)
        #expect(window.navigator.places.isEmpty)
        for place in [
            window.root("a"), window.push("b"), window.present("c"), window.navigator.push(contentsOf: ["d"])[0],
            window.navigator.setTabs(["e", "f"])[1],
        ] {
            #expect(place.dismissal == .ordered)
        }
        #expect(window.navigator.places.isEmpty)
        #expect(motherboard.activate(.page, with: "late").completion?.isCancelled == true)
        window.navigator.close()
        #expect(window.ended == ["picker", "home", "a", "b", "c"])
    }

    @Test(.rule("V17")) func `orders that are given while lifetimes end run afterwards, in order`() {
        let window = TestWindow()
        window.root("home")
        var early: Place<String>?
        window.follow(window.navigator.push("course")) {
            early = window.navigator.push("farewell")
            window.navigator.present("survey")
            #expect(window.layers == "home")
        }
        window.follow(window.navigator.push("tutor")) {
            window.navigator.setRoot("start")
            #expect(window.layers == "home")
        }
        window.navigator.returnHome()
        #expect(window.ended == ["tutor", "course", "home"])
        #expect(window.layers == "start farewell / survey")
        #expect(early == window.navigator.base.stack.top)
    }

    @Test func `the places of the selected tab are arranged by keys`() {
        let window = TestWindow()
        for screen in ["tutor", "home", "course", "old"] { window.push(screen) }
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

private final class PageBoard: Board {
    let slot: Slot<Page>
    private let navigator: Navigator<String>

    init(slot: Slot<Page>, navigator: Navigator<String>) {
        self.slot = slot
        self.navigator = navigator
    }

    func activate(with screen: String) {
        pair(with: navigator.push(screen))
    }
}

/// A watch on the lifetime of an object.
@MainActor private final class Lifetimes {
    private(set) var hasEnded = false

    init(_ owner: some LifetimeOwner) {
        _ = owner.lifetime.atEnd(OwnerCall(on: MainActor.shared) { [weak self] in self?.hasEnded = true })
    }
}
