import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import ShapesTestTools
import SwiftUI
import Testing

/// Sequences in which others have lost a screen, a report or an answer.
@Suite(.timeLimit(.minutes(5))) @MainActor struct PublicReportTests {
    private let window = SlowWindow(delay: .seconds(2))
    private var host: ShapeHost { window.host }
    private var navigator: Navigator<String> { window.navigator }

    private func start() async {
        await window.order { $0.setRoot("home") }
        await window.rest()
    }

    @Test(.rule("V22"), .bug("https://github.com/pointfreeco/swift-composable-architecture/issues/1991"))
    func `a question in the same turn as a dismissal waits for it, and gets its answer`() async throws {
        await start()
        await window.order { $0.present("sheet") }
        await window.rest()
        let navigator = navigator
        let asking = Task {
            navigator.topLayer.stack.root?.dismiss()
            return try await navigator.ask(Dialog("Keep?", choices: [.init("Keep", true)]))
        }
        await window.pass(.zero)
        #expect(host.isMoving && !host.texts.contains("Keep?"))
        await window.rest()
        #expect(host.tap("Keep"))
        #expect(try await asking.value)
        await window.order { $0.present("next") }
        await window.rest()
        #expect(host.texts == ["home", "next"])
    }

    @Test(.rule("V23"), .bug("https://github.com/radiosilence/koan/issues/261"), arguments: [true, false])
    func `if the root and the path change in one update, both are shown`(hasAppeared: Bool) async {
        await window.order { $0.setRoot("login") }
        if hasAppeared { await window.rest() }
        await window.order { navigator in
            navigator.setRoot("home")
            navigator.push("course")
        }
        await window.rest()
        #expect(host.texts == ["course"])
        #expect(navigator.places.map(\.screen) == ["home", "course"])
    }

    @Test(.rule("V5"), .bug("https://github.com/subconsciousnetwork/subconscious/issues/900"))
    func `two sheets that are presented when a screen appears are shown one above the other`() async {
        await window.order { $0.setRoot("greeting") }
        await window.rest()
        #expect(host.texts == ["greeting", "a", "b"])
    }

    @Test(.rule("V11"), .bug("https://github.com/swiftlang/swift/issues/77088"))
    func `if the user leaves a tab during a pop, the tab keeps its path`() async throws {
        await window.order { navigator in
            navigator.setTabs(["one", "two"])
            navigator.push("a")
        }
        await window.rest()
        let roots = navigator.base.stacks.compactMap(\.root)
        await window.order { $0.back(to: roots[0]) }
        host.selectTab(1)
        await window.rest()
        #expect(navigator.top === roots[1])
        host.selectTab(0)
        await window.rest()
        #expect(host.texts.contains("one") && !host.texts.contains("a"))
    }

    @Test(.rule("V6"), .bug("https://github.com/pointfreeco/swift-composable-architecture/issues/2413"))
    func `a cover replaces a sheet after the sheet has disappeared`() async {
        await start()
        await window.order { $0.present("sheet") }
        await window.rest()
        await window.order { navigator in
            navigator.topLayer.stack.root?.dismiss()
            navigator.present("cover", as: .cover)
        }
        #expect(host.presentations.isEmpty && host.isMoving)
        await window.rest()
        #expect(host.presentations == ["cover"] && host.texts == ["home", "cover"])
    }

    @Test(.rule("V7"), .bug("https://github.com/matteopuc/swiftui-navigation-stack/issues/23"))
    func `a sheet that is presented after a pop is shown`() async {
        await start()
        await window.order { $0.push("a") }
        await window.rest()
        await window.order { navigator in
            navigator.returnHome()
            navigator.present("sheet")
        }
        await window.rest()
        #expect(host.texts == ["home", "sheet"])
    }

    @Test(.rule("V5"), .bug("https://github.com/johnpatrickmorgan/FlowStacks/issues/69"))
    func `a push after the user has closed a sheet does not wait for a report`() async {
        await start()
        await window.order { $0.present("sheet") }
        await window.rest()
        host.closePresentation()
        await window.order { $0.push("a") }
        #expect(host.texts == ["a"])
        await window.order { $0.present("next") }
        // The host has not reported the end of the sheet.
        #expect(host.presentations.isEmpty)
        await window.rest()
        #expect(host.texts == ["a", "next"])
    }

    @Test(.rule("V19", "V23")) func `a late report about a screen that became the root is ignored`()
        async
    {
        await window.order { navigator in
            navigator.setRoot("home")
            navigator.push("a")
            navigator.push("b")
        }
        // Not drawn before the reports come.
        navigator.base.stack.root?.dismiss()
        await window.rest()
        #expect(host.texts == ["b"] && navigator.places.map(\.screen) == ["a", "b"])
    }
}
