import Backplane
import Observation
import Screens
import Testing

private final class Plain: Screen {
    let title = ""
    let path: String
    let sections: [Section] = []

    init(_ path: String) {
        self.path = path
    }

    func handle(_ event: ScreenEvent) {}
}

private enum Shown: BoardContract { typealias Input = any Screen }

/// A board that is paired with its screen.
private struct ShownBoard: Board {
    let slot: Slot<Shown>
    let navigation: Navigation

    func activate(with screen: any Screen) { pair(with: navigation.push(screen)) }
}

/// A board that keeps a component for a window.
private struct KeepingBoard: Board {
    let slot: Slot<Shown>
    let navigation: Navigation
    let component: () -> AnyObject

    func activate(with screen: any Screen) { keep(component(), for: navigation) }
}

@MainActor
@Suite struct NavigationTests {
    private final class Log {
        var left: [String] = []
    }

    private let motherboard = Motherboard.onMain()
    private let navigation = Navigation()
    private let log = Log()

    /// Pushes a screen whose board logs the path when the screen leaves.
    private func push(_ path: String) -> Plain {
        let screen = Plain(path)
        let id = BoardID<Shown>("\(navigation.stack.count) \(path)")
        motherboard.register(id, replacing: true) { [navigation] in ShownBoard(slot: $0, navigation: navigation) }
        motherboard.registerCompletionFlow(id) { [log] completion, _ in log.left.append("\(path) \(completion)") }
        motherboard.activate(id, with: screen)
        return screen
    }

    private var paths: [String] { navigation.stack.map(\.screen.path) }

    @Test func `the screen pushed last is on top`() {
        #expect(navigation.top == nil)
        _ = push("/")
        let course = push("/course")
        #expect(navigation.top === course)
        #expect(paths == ["/", "/course"])
    }

    @Test func `dismissing a screen completes its board once and keeps the screens above`() {
        _ = push("/")
        let login = push("/login")
        let course = push("/course")
        #expect(navigation.dismiss(login))
        #expect(paths == ["/", "/course"])
        #expect(navigation.top === course)
        #expect(log.left == ["/login cancelled"])
        #expect(!navigation.dismiss(login))
        #expect(log.left.count == 1)
    }

    @Test func `going back completes the boards of the removed screens from the top`() {
        for path in ["/", "/a", "/b"] { _ = push(path) }
        navigation.back(to: "/")
        #expect(log.left == ["/b cancelled", "/a cancelled"])
    }

    @Test func `going back stops at the nearest screen with the path and ignores a missing path`() {
        for path in ["/", "/a", "/", "/b"] { _ = push(path) }
        #expect(navigation.back(to: "/"))
        #expect(paths == ["/", "/a", "/"])
        #expect(!navigation.back(to: "/b"))
        #expect(navigation.back(to: "/"))
        #expect(paths == ["/", "/a", "/"], "that screen is on top already")
    }

    @Test func `going back does not stop at a dialog`() {
        _ = push("/")
        let dialog = Plain("/compose")
        navigation.present(dialog)
        #expect(navigation.stack.map(\.isModal) == [false, true])
        _ = push("/contacts")
        #expect(!navigation.back(to: "/compose"))
        #expect(navigation.dismiss(dialog))
        #expect(paths == ["/", "/contacts"])
    }

    @Test func `returning home keeps the root, and a new root replaces all screens`() {
        for path in ["/", "/a", "/b"] { _ = push(path) }
        navigation.returnHome()
        #expect(paths == ["/"])
        navigation.setRoot(Plain("/login"))
        #expect(paths == ["/login"])
        #expect(log.left == ["/b cancelled", "/a cancelled", "/ cancelled"])
        navigation.close()
        #expect(paths == [])
        navigation.returnHome()
    }

    @Test func `arranging puts screens in order, keeps each path once and removes the others`() {
        for path in ["/b", "/x", "/", "/a", "/b"] { _ = push(path) }
        let first = navigation.stack[0]
        navigation.arrange(by: ["/", "/a", "/missing", "/b"])
        #expect(paths == ["/", "/a", "/b"])
        #expect(navigation.stack.last === first)
        #expect(log.left == ["/b cancelled", "/x cancelled"])
        navigation.arrange(by: ["/missing"])
        #expect(paths == ["/", "/a", "/b"], "arranging never removes every screen")
    }

    @Test func `a screen that leaves is released, and its completion sees the remaining stack`() {
        weak var released: Plain?
        var seen: [String]?
        do {
            let screen = push("/a")
            released = screen
            motherboard.registerCompletionFlow(BoardID<Shown>("0 /a")) { [navigation] _, _ in
                seen = navigation.stack.map(\.screen.path)
            }
        }
        #expect(released != nil)
        navigation.setRoot(Plain("/"))
        #expect(seen == ["/"])
        #expect(released == nil)
    }

    @Test func `a component kept for the window is released only when the window closes`() {
        final class Component {}
        weak var kept: Component?
        motherboard.register(BoardID<Shown>("keeper")) { [navigation] slot in
            KeepingBoard(slot: slot, navigation: navigation) {
                let component = Component()
                kept = component
                return component
            }
        }
        motherboard.activate(BoardID<Shown>("keeper"), with: Plain("/"))
        navigation.setRoot(Plain("/other"))
        #expect(kept != nil)
        navigation.close()
        #expect(kept == nil)
    }

    @Test func `a change of the stack notifies observers`() async {
        await confirmation { changed in
            withObservationTracking {
                _ = navigation.top
            } onChange: {
                changed()
            }
            _ = push("/")
        }
    }
}
