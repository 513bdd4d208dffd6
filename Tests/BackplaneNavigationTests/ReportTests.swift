import TestSupport
import Testing

@testable import BackplaneNavigation

@MainActor @Suite(.everyOwnerPath) struct ReportTests {
    @Test(.rule("V3")) func `a shorter path ends the places that the user left`() {
        let window = TestWindow("root home, push course, push tutor, push mail")
        window.navigator.base.stack.path = [window["course"]]
        #expect(window.ended == ["mail", "tutor"])
        #expect(window["tutor"].isDismissedByUser)
        #expect(window["course"].dismissal == nil)
    }

    @Test(.rule("V3")) func `an equal path changes nothing`() {
        let window = TestWindow("root home, push course")
        let stack = window.navigator.base.stack
        let isPublished = publishes({ stack.path }, during: { stack.path = stack.path })
        #expect(!isPublished)
        #expect(window.layers == "home course")
    }

    @Test(.rule("V3")) func `any other path is refused, and the real path is published again`() {
        let window = TestWindow("root home, push course, push tutor, push gone, dismiss gone")
        let (course, tutor, gone) = (window["course"], window["tutor"], window["gone"])
        let stack = window.navigator.base.stack
        for path in [[tutor], [tutor, course], [course, tutor, gone], [course, gone]] {
            let isPublished = publishes({ stack.path }, during: { stack.path = path })
            #expect(isPublished)
            #expect(window.layers == "home course tutor")
        }
        #expect(window.ended == ["gone"])
        #expect(!gone.isDismissedByUser)
    }

    @Test(.rule("V3")) func `a removed stack accepts no path`() {
        let window = TestWindow("root home, present composer, push picker")
        let stack = window.navigator.topLayer.stack
        window.play("dismiss composer")
        stack.path = []
        #expect(window["picker"].dismissal == .ordered)
        #expect(window.ended == ["picker", "composer"])
    }

    @Test(.rule("V4"), arguments: ["present", "cover"], [true, false])
    func `if the user closes a layer, the layers above it also leave`(order: String, byBinding: Bool) {
        let window = TestWindow("root home, \(order) composer, appear, present picker, appear")
        let base = window.navigator.base
        base.close()
        #expect(window.shown == "home / composer / picker", "the base cannot be closed")
        for _ in 1...2 {
            if byBinding {
                base[above: base.above?.id, as: order == "cover" ? .cover : .sheet] = nil
            } else {
                base.above?.close()
            }
            #expect(window.layers == "home")
            #expect(window.shown == "home")
            #expect(window.ended == ["picker", "composer"])
            #expect(window["composer"].isDismissedByUser)
        }
    }

    @Test(.rule("V4")) func `a report about a layer that is not shown is ignored`() {
        let window = TestWindow("root home, present composer", appeared: false)
        let base = window.navigator.base
        let composer = window.navigator.topLayer
        composer.close()
        base[above: nil, as: .sheet] = nil
        base[above: composer.id, as: .sheet] = nil
        #expect(window.layers == "home / composer")
        base.appeared()
        base[above: composer.id, as: .cover] = nil
        base[above: base.id, as: .sheet] = nil
        #expect(window.shown == "home / composer")
    }

    @Test(.rule("V4")) func `a report about a layer that is already leaving changes nothing`() async {
        // The sheet is on its way up, so it cannot be dropped yet.
        let window = TestWindow("root home, present composer, dismiss composer, present picker")
        #expect(window.shown == "home / composer")
        window.navigator.base.above?.close()
        #expect(window.layers == "home / picker")
        #expect(window["composer"].dismissal == .ordered)
        window.navigator.base.uncovered()
        #expect(window.shown == "home / picker")
    }

    @Test(.rule("V4")) func `a report cannot add a sheet`() {
        let window = TestWindow("root home, present composer")
        let base = window.navigator.base
        let composer = window.navigator.topLayer
        composer.close()
        base.uncovered()
        base[above: nil, as: .sheet] = composer
        #expect(window.shown == "home")
        window.present("picker")
        let picker = window.navigator.topLayer
        var isPublished = publishes({ base.above }, during: { base[above: picker.id, as: .sheet] = composer })
        #expect(isPublished)
        isPublished = publishes({ base.above }, during: { base[above: picker.id, as: .sheet] = picker })
        #expect(!isPublished)
        #expect(window.shown == "home / picker")
    }

    @Test(.rule("V19"), arguments: [PresentationStyle.sheet, .cover])
    func `closing a layer twice does not close the next one`(style: PresentationStyle) {
        let window = TestWindow("root home", hasTransitions: false)
        let base = window.navigator.base
        window.present("composer", as: style)
        let composer = window.navigator.topLayer
        base[above: composer.id, as: style] = nil
        let picker = window.present("picker", as: style)
        base[above: composer.id, as: style] = nil
        composer.close()
        #expect(window.layers == "home / picker")
        #expect(base[above: composer.id, as: style]?.stack.root === picker)
    }

    @Test(.rule("V19")) func `if a layer is closed while lifetimes end, exactly this layer is closed`() {
        let window = TestWindow("root home", hasTransitions: false)
        var composer: Layer<String>?
        window.push("course") {
            composer?.close()
            composer?.close()
        }
        window.play("present composer")
        composer = window.navigator.topLayer
        window.play("present survey, dismiss course")
        #expect(window.layers == "home")
        #expect(window.ended == ["course", "survey", "composer"])
    }

    @Test(.rule("V19")) func `a repeated report that the user went back does not remove the next place`() {
        let window = TestWindow("root home, push course")
        let stack = window.navigator.base.stack
        let shown = [window["course"].id]
        stack[path: shown] = []
        window.push("tutor")
        stack[path: shown] = []
        #expect(window.layers == "home tutor")
        stack[path: stack[path: shown].map(\.id)] = []
        #expect(window.layers == "home")
        #expect(window.ended == ["course", "tutor"])
    }

    @Test(.rule("V19")) func `a report that a layer has disappeared does not affect the next layer`() {
        let window = TestWindow("root home, present a, appear")
        let base = window.navigator.base
        let aHasGone = base.uncovered
        window.play("end")
        aHasGone()
        window.play("present b, appear, home, present c")
        aHasGone()
        #expect(window.shown == "home")
        base.uncovered()
        #expect(window.shown == "home / c")
    }

    @Test(.rule("V26")) func `if the user closes a sheet, the screens that were pushed in the meantime also leave`() {
        // The sheet has left when the tutor is pushed, so the tutor is shown below it.
        let window = TestWindow("root home, present composer, appear, push picker, end, push tutor")
        #expect(window["picker"].isDismissedByUser)
        #expect(window.ended == ["picker", "composer"])
        #expect(window.layers == "home tutor")
    }

    @Test(.rule("V11")) func `when the user selects a tab, all stacks keep their screens`() {
        let window = TestWindow("tabs home search, push course")
        let base = window.navigator.base
        base.selection = base.stacks[1].id
        #expect(window.layers == "search")
        window.push("result")
        base.selection = base.stacks[0].id
        #expect(window.layers == "home course")
        #expect(window.ended == [])
    }

    @Test(.rule("V11")) func `selecting the selected tab returns it to its root`() {
        let window = TestWindow("tabs home search, push course")
        window.navigator.base.selection = window.navigator.base.selection
        #expect(window.layers == "home")
        #expect(window["course"].isDismissedByUser)
    }

    @Test(.rule("V11")) func `an unknown tab is refused, and a stack that appears is published again`() {
        let window = TestWindow("tabs home search")
        let other = TestWindow().navigator.base.selection
        let base = window.navigator.base
        let isRefused = publishes({ base.selection }, during: { base.selection = other })
        #expect(isRefused)
        #expect(window.layers == "home")
        let isPublished = publishes({ base.stacks[1].path }, during: { base.stacks[1].appeared() })
        #expect(isPublished)
    }
}
