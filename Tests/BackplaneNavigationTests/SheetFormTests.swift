import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct SheetFormTests {
    private let window = TestWindow("root home")
    private var base: Layer<String> { window.navigator.base }

    @Test(.rule("V31")) func `a sheet has the form of its order, and a cover has none`() {
        window.navigator.present("a")
        #expect(window.navigator.topLayer.form == .automatic)
        window.navigator.present("b", form: .heights([.medium]))
        #expect(window.navigator.topLayer.form == .heights([.medium]))
        window.navigator.present("c", as: .cover, form: .popover(x: 0, y: 0))
        #expect(window.navigator.topLayer.form == .automatic)
        #expect(base.form == .automatic)
    }

    @Test(.rule("V31")) func `a host draws the heights that it supports, or the full height if it supports none`() {
        let heights: [SheetHeight] = [
            .fraction(-1), .fraction(.nan), .fraction(.infinity), .points(0), .points(-1), .points(.nan),
            .points(.infinity),
        ]
        #expect(SheetForm.heights(heights).heights == [.large])
        #expect(SheetForm.heights([]).heights == [.large])
        #expect(SheetForm.automatic.heights == [.large])
        #expect(SheetForm.popover(x: 0, y: 0).heights == [.large])
        #expect(
            SheetForm.heights(heights + [.points(200), .fraction(0.4), .medium, .fraction(2), .large]).heights
                == [.points(200), .fraction(0.4), .medium, .fraction(1), .large]
        )
    }

    @Test(.rule("V31")) func `the arrow of a popover points into the layer below`() {
        #expect(SheetForm.popover(x: 0.2, y: 0.8).anchor == (0.2, 0.8))
        #expect(SheetForm.popover(x: -3, y: 3).anchor == (0, 1))
        #expect(SheetForm.popover(x: .nan, y: .infinity).anchor == (0, 1))
        #expect(SheetForm.automatic.anchor == (0.5, 0))
    }

    @Test(.rule("V31"), arguments: [true, false])
    func `a binding has only the sheets of its form, and reports only the end of these sheets`(isPopover: Bool) throws {
        window.navigator.present("a", form: isPopover ? .popover(x: 0, y: 0) : .heights([.medium]))
        let above = try #require(base.above)
        #expect(base[above: above.id, as: .sheet] === above)
        #expect(base[above: above.id, as: .sheet, isPopover: isPopover] === above)
        #expect(base[above: above.id, as: .sheet, isPopover: !isPopover] == nil)
        base[above: above.id, as: .sheet, isPopover: !isPopover] = nil
        #expect(base.above === above)
        base[above: above.id, as: .sheet, isPopover: isPopover] = nil
        #expect(base.above == nil)
    }

    @Test(.rule("V32"), arguments: [DialogStyle.alert, .actionSheet])
    func `a dialog has the style of its question, and a binding of the other style does not hide it`(
        style: DialogStyle
    ) async throws {
        let navigator = window.navigator
        let asking = Task {
            try await navigator.ask(Dialog("Delete?", choices: [.init("Delete", true)], style: style))
        }
        await waitUntil { navigator.base.dialog != nil }
        let dialog = try #require(base.dialog)
        let other: DialogStyle = style == .alert ? .actionSheet : .alert
        #expect(dialog.style == style)
        #expect(base[isAsking: dialog.id] && base[isAsking: dialog.id, as: style])
        #expect(!base[isAsking: dialog.id, as: other])
        // SwiftUI may write `false` through a binding that is `false`.
        base[isAsking: dialog.id, as: other] = false
        #expect(base.dialog === dialog)
        dialog.choose(0)
        #expect(try await asking.value)
        #expect(!base[isAsking: dialog.id, as: style])
    }
}

#if canImport(Darwin)
    @Suite(.timeLimit(.minutes(1))) @MainActor struct LocalizedDialogTests {
        @Test func `texts that are not in a catalog are shown unchanged`() async throws {
            let window = TestWindow("root home")
            let navigator = window.navigator
            let asking = Task {
                try await navigator.ask(
                    Dialog(
                        localized: "Keep?",
                        message: "Later",
                        choices: [.init(localized: "Keep", true)],
                        cancel: "No"
                    )
                )
            }
            await waitUntil { navigator.base.dialog != nil }
            let dialog = try #require(navigator.base.dialog)
            #expect(dialog.title == "Keep?" && dialog.message == "Later")
            #expect(dialog.buttons.map(\.label) == ["Keep", "No"])
            dialog.choose(0)
            #expect(try await asking.value)
        }
    }
#endif
