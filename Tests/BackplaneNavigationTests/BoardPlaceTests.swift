import Backplane
import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

/// Boards that are paired with a place.
@MainActor @Suite(.rule("V18"), .timeLimit(.minutes(5)), .everyOwnerPath) struct BoardPlaceTests {
    private let window = TestWindow(hasTransitions: false)
    private let motherboard = Motherboard.onMain()
    private let ends = Ends()

    init() {
        let (window, ends) = (window, ends)
        motherboard.register(.shownPage) { slot in ShownPageBoard(slot: slot, window: window, ends: ends) }
        window.root("home")
    }

    @Test func `when a board completes, its place is removed before didEnd is called`() {
        let page = motherboard.activate(.shownPage, with: "a")
        #expect(window.layers == "home a")
        page.complete()
        #expect(ends.layers == ["home"])
        #expect(page.completion?.isCancelled == false)
    }

    @Test func `a place that leaves ends its board as cancelled`() {
        let page = motherboard.activate(.shownPage, with: "a")
        window.navigator.base.stack.path = []
        #expect(page.completion?.isCancelled == true)
        #expect(window.ended == ["a"])
    }

    @Test func `when a board that was activated again ends, all of its places are removed`() {
        motherboard.activate(.shownPage, with: "a")
        let page = motherboard.activate(.shownPage, with: "b")
        #expect(window.layers == "home a b")
        page.complete()
        #expect(window.ended == ["a", "b"])
    }

    @Test func `a board does not keep a screen that has left`() {
        motherboard.activate(.shownPage, with: "a")
        weak let first = window.navigator.top
        motherboard.activate(.shownPage, with: "b")
        first?.dismiss()
        #expect(first == nil)
        #expect(window.layers == "home b")
    }

    @Test func `if a board has already ended, a place that is paired with it leaves at once`() {
        let motherboard = Motherboard()
        motherboard.register(.shownPage) { [window, ends] slot in
            ShownPageBoard(slot: slot, window: window, ends: ends, isLate: true)
        }
        motherboard.activate(.shownPage, with: "a")
        #expect(window.layers == "home")
        #expect(window.ended == ["a"])
    }

    @Test func `a place leaves one turn after its motherboard was released without completing`() async {
        var released: Motherboard? = Motherboard.onMain()
        released?.register(.shownPage) { [window, ends] slot in
            ShownPageBoard(slot: slot, window: window, ends: ends)
        }
        released?.activate(.shownPage, with: "a")
        released = nil
        #expect(window.layers == "home a")
        await waitUntil { window.layers == "home" }
        #expect(window.ended == ["a"])
        #expect(ends.layers.isEmpty)
    }

    @Test(.rule("V21"), arguments: ["pushed", "sheet", "root"])
    func `if a board ends because another place leaves, its own place is already gone`(kind: String) {
        let first = kind == "root" ? nil : window.follow(window.navigator.push("a"))
        let page = motherboard.activate(.shownPage, with: kind == "sheet" ? "sheet" : "b")
        let leaving = window.navigator.push("c")
        let wereOthersThere = first != nil
        if kind == "root" { window.navigator.base.stack.root?.dismiss() }
        window.follow(leaving) {
            window.navigator.push("later")
            page.complete()
            #expect(!window.layers.contains("later"))
        }
        leaving.dismiss()
        let rest = wereOthersThere ? "home a" : ""
        #expect(ends.layers == [rest])
        #expect(window.layers == (wereOthersThere ? "home a later" : "later"))
        #expect(page.completion?.isCancelled == false)
    }

    @Test(.rule("V21")) func `if a board ends before its place is added, there is no place in didEnd`() {
        let leaving = window.navigator.push("a")
        window.follow(leaving) {
            let page = motherboard.activate(.shownPage, with: "b")
            page.complete()
        }
        leaving.dismiss()
        #expect(ends.layers == ["home"])
        #expect(window.layers == "home")
        #expect(window.ended == ["a", "b"])
    }

    @Test func `a place leaves with the motherboard of its board`() {
        motherboard.activate(.shownPage, with: "a")
        motherboard.complete()
        #expect(window.layers == "home")
    }
}

private enum ShownPage: BoardContract {
    typealias Input = String
}

extension BoardID<ShownPage> {
    fileprivate static var shownPage: Self { "shownPage" }
}

/// The layers of the window at the ends of boards.
@MainActor private final class Ends {
    var layers: [String] = []
}

@MainActor private final class ShownPageBoard: Board {
    let slot: Slot<ShownPage>
    private let window: TestWindow
    private let ends: Ends
    private let isLate: Bool

    init(slot: Slot<ShownPage>, window: TestWindow, ends: Ends, isLate: Bool = false) {
        self.slot = slot
        self.window = window
        self.ends = ends
        self.isLate = isLate
    }

    func activate(with screen: String) {
        if isLate { complete() }
        let navigator = window.navigator
        pair(with: window.follow(screen == "sheet" ? navigator.present(screen) : navigator.push(screen)))
    }

    func didEnd(_ completion: Completion) {
        ends.layers.append(window.layers)
    }
}
