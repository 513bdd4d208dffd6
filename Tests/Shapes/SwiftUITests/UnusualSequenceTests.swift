import Backplane
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import ShapesTestTools
import SwiftUI
import Testing

/// Tests of sequences that a hostile reader found.
@Suite(.timeLimit(.minutes(2))) @MainActor struct UnusualSequenceTests {
    private let window = SlowWindow(delay: .seconds(1))
    private var host: ShapeHost { window.host }
    private var navigator: Navigator<String> { window.navigator }

    private func start() async {
        await window.order { $0.setRoot("home") }
        await window.rest()
    }

    @Test(.rule("V31"), arguments: [[], [SheetHeight.points(.nan), .points(-1), .fraction(.infinity)]])
    func `if heights cannot be drawn, the usual sheet is shown`(heights: [SheetHeight]) async {
        await start()
        await window.order { $0.present("sheet", form: .heights(heights)) }
        #expect(host.detents == [.large])
    }

    @Test(.rule("V5", "V31")) func `a popover and the sheet above leave in one step`() async {
        await start()
        await window.order { $0.present("colors", form: .popover(x: 0, y: 0)) }
        await window.rest()
        await window.order { $0.present("sheet") }
        await window.rest()
        #expect(host.presentations == ["popover", "sheet"])
        await window.order { navigator in
            navigator.uncover()
            navigator.present("fonts", form: .popover(x: 1, y: 1))
        }
        await window.pass(.seconds(2))
        await window.pass(.zero)
        #expect(host.presentations == ["popover"])
        #expect(host.texts == ["home", "fonts"])
        await window.rest()
    }

    @Test(.rule("V31", "V22")) func `the user can close a popover in the turn of a question`() async throws {
        await start()
        await window.order { $0.present("colors", form: .popover(x: 0, y: 0)) }
        await window.rest()
        host.closePresentation()
        let navigator = navigator
        let dialog = Dialog<Bool>("Delete?", choices: [.init("Delete", true)], style: .actionSheet)
        let asking = Task { try await navigator.ask(dialog) }
        await window.pass(.zero)
        #expect(host.presentations.isEmpty)
        await window.rest()
        #expect(host.presentations == ["confirmationDialog"])
        #expect(host.tap("Delete", hidesFirst: true))
        #expect(try await asking.value)
    }

    @Test(.rule("V22"), arguments: [true, false])
    func `a sheet waits for an update without the dialog that code has ended`(isShown: Bool) async {
        await start()
        let root = navigator.places[0]
        let navigator = navigator
        let asking = Task { try? await navigator.ask(Dialog("Keep?", choices: [.init("Keep", true)])) }
        // Or the dialog has left before SwiftUI has drawn it.
        if isShown { await window.pass(.zero) } else { await turns() }
        navigator.push("a")
        root.dismiss()
        navigator.present("sheet")
        // Several turns may pass before SwiftUI updates its views.
        await turns()
        host.update()
        #expect(await asking.value == nil)
        #expect(host.texts == ["a", "sheet"])
        await window.rest()
    }

    private func turns() async {
        for _ in 0..<50 { await Task.yield() }
    }

    @Test(.rule("V32", "V19")) func `a late report of one style does not hide the next dialog of another style`() async
    {
        await start()
        let navigator = navigator
        let asking = [DialogStyle.alert, .actionSheet].enumerated().map { index, style in
            Task { try? await navigator.ask(Dialog("\(index)", choices: [.init("Yes", index)], style: style)) }
        }
        await window.pass(.zero)
        let first = navigator.base.dialog
        #expect(host.tap("Yes"))
        await window.rest()
        #expect(host.presentations == ["confirmationDialog"])
        first?.hide()
        first?.choose(0)
        await window.rest()
        #expect(host.presentations == ["confirmationDialog"])
        #expect(host.tap("Yes"))
        for (index, task) in asking.enumerated() { #expect(await task.value == index) }
    }

    @Test(.rule("V11", "V19")) func `a late selection of a removed tab does not pop a screen`() async {
        await window.order { navigator in
            navigator.setTabs(["one", "two", "three"])
            navigator.push("a")
        }
        await window.rest()
        let (base, stacks) = (navigator.base, navigator.base.stacks)
        await window.order { _ in stacks[1].root?.dismiss() }
        base.selection = stacks[1].id
        await window.rest()
        #expect(navigator.places.map(\.screen) == ["one", "a", "three"])
        #expect(host.texts.contains("a"))
    }

    @Test(.rule("V9", "V23")) func `the last of two tabs keeps its path`() async {
        await window.order { navigator in
            navigator.setTabs(["one", "two"])
            navigator.push("a")
        }
        await window.rest()
        await window.order { $0.base.stacks[1].root?.dismiss() }
        await window.rest()
        #expect(host.texts == ["a"])
        #expect(navigator.places.map(\.screen) == ["one", "a"])
    }

    @Test(.rule("V1")) func `a window that closes during a transition ends each place and question once`() async {
        await start()
        let navigator = navigator
        await window.order { $0.present("sheet") }
        let asking = Task { try? await navigator.ask(Dialog("Keep?", choices: [.init("Keep", true)])) }
        await window.pass(.zero)
        #expect(host.isMoving)
        await window.order { $0.close() }
        #expect(await asking.value == nil)
        await window.rest()
        #expect(host.texts.isEmpty)
    }

    @Test(.rule("V23")) func `after an empty window, a new root and its path are both shown`() async {
        await window.order { $0.setRoot("login") }
        await window.order { $0.base.stack.root?.dismiss() }
        await window.order { navigator in
            navigator.setRoot("home")
            navigator.push("course")
        }
        await window.rest()
        #expect(host.texts == ["course"])
    }

    @Test(.rule("V34")) func `a scene that appears again keeps its screens`() {
        let scene = NotesWindow()
        scene.begin(with: nil)
        scene.motherboard.activate(NotePage.id, with: "Milk")
        // SwiftUI calls `onAppear` again when a cover over the window has gone.
        scene.begin(with: nil)
        #expect(scene.navigator.places.map(\.screen) == ["Notes", "Milk"])
    }
}
