import BackplaneNavigation
import TestSupport
import Testing

@MainActor @Suite(.everyOwnerPath) struct ReportTests {
    @Test(.rule("V3")) func `a shorter path ends the places that the user left`() {
        let window = TestWindow()
        window.root("home")
        let course = window.push("course")
        let tutor = window.push("tutor")
        window.push("mail")
        window.navigator.base.stack.path = [course]
        #expect(window.ended == ["mail", "tutor"])
        #expect(tutor.dismissal == .byUser)
        #expect(course.dismissal == nil)
    }

    @Test(.rule("V3")) func `the first place that is not shown leaves with the places above it`() {
        let window = TestWindow()
        window.root("home")
        let course = window.push("course")
        window.push("tutor")
        let mail = window.push("mail")
        let stack = window.navigator.base.stack
        stack.keep { $0.screen != "home" }
        #expect(window.ended.isEmpty)
        stack.keep { $0 === course || $0 === mail }
        #expect(window.ended == ["mail", "tutor"])
        #expect(mail.dismissal == .byUser)
        #expect(window.layers == "home course")
    }

    @Test(.rule("V4")) func `the layer above is the sheet or the cover`() {
        let window = TestWindow(pace: .immediate)
        window.root("home")
        let base = window.navigator.base
        #expect(base.above == nil)
        for style in [PresentationStyle.sheet, .cover] {
            window.present("above", as: style)
            #expect(base.above === window.navigator.topLayer)
            base.above?.close()
        }
        #expect(base.above == nil)
    }

    @Test(.rule("V3")) func `an equal path changes nothing`() {
        let window = TestWindow()
        window.root("home")
        window.push("course")
        let stack = window.navigator.base.stack
        let isPublished = publishes({ stack.path }, during: { stack.path = stack.path })
        #expect(!isPublished)
        #expect(window.layers == "home course")
    }

    @Test(.rule("V3")) func `any other path is refused, and the truth is published again`() {
        let window = TestWindow()
        window.root("home")
        let course = window.push("course")
        let tutor = window.push("tutor")
        let stack = window.navigator.base.stack
        let gone = window.push("gone")
        window.navigator.dismiss(gone)
        for path in [[tutor], [tutor, course], [course, tutor, gone], [course, gone]] {
            let isPublished = publishes({ stack.path }, during: { stack.path = path })
            #expect(isPublished)
            #expect(window.layers == "home course tutor")
        }
        #expect(window.ended == ["gone"])
    }

    @Test(.rule("V3")) func `a stack that has left accepts no path`() {
        let window = TestWindow()
        window.root("home")
        let sheet = window.present("composer")
        let picker = window.push("picker")
        let stack = window.navigator.topLayer.stack
        window.navigator.dismiss(sheet)
        stack.path = []
        #expect(picker.dismissal == .ordered)
        #expect(window.ended == ["picker", "composer"])
    }

    @Test(.rule("V4"), arguments: [PresentationStyle.sheet, .cover])
    func `a layer that reports its own end leaves with the layers above`(style: PresentationStyle) {
        let window = TestWindow(pace: .immediate)
        window.root("home")
        let composer = window.present("composer", as: style)
        let layer = window.navigator.topLayer
        window.present("picker")
        window.navigator.base.close()
        #expect(window.layers == "home / composer / picker", "the base cannot be closed")
        layer.close()
        #expect(window.layers == "home")
        #expect(composer.dismissal == .byUser)
        #expect(window.ended == ["picker", "composer"])
        layer.close()
        #expect(window.layers == "home")
    }

    @Test(.rule("V4"), arguments: [PresentationStyle.sheet, .cover])
    func `a closed sheet or cover leaves with the layers above`(style: PresentationStyle) {
        let window = TestWindow()
        window.root("home")
        let composer = window.present("composer", as: style)
        window.navigator.topLayer.appeared()
        window.present("picker")
        window.navigator.topLayer.appeared()
        #expect(window.shown == "home / composer / picker")
        let base = window.navigator.base
        base[above: base.above?.id, as: style] = nil
        #expect(window.layers == "home")
        #expect(window.shown == "home")
        #expect(window.ended == ["picker", "composer"])
        #expect(composer.dismissal == .byUser)
    }

    @Test(.rule("V4")) func `a report about a layer that is not shown is ignored`() {
        let window = TestWindow(appeared: false)
        window.root("home")
        window.present("composer")
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

    @Test(.rule("V4")) func `a report about a layer that is leaving ends nothing`() async {
        let window = TestWindow()
        window.root("home")
        let first = window.present("composer")
        // The sheet is on its way up, so it cannot be dropped yet.
        window.navigator.dismiss(first)
        window.present("picker")
        #expect(window.shown == "home / composer")
        window.navigator.base.above?.close()
        #expect(window.layers == "home / picker")
        #expect(first.dismissal == .ordered)
        window.navigator.base.uncovered()
        #expect(window.shown == "home / picker")
    }

    @Test(.rule("V4")) func `a sheet cannot be put there by a report`() {
        let window = TestWindow()
        window.root("home")
        window.present("composer")
        let base = window.navigator.base
        let composer = window.navigator.topLayer
        composer.close()
        base.uncovered()
        base[above: nil, as: .sheet] = composer
        #expect(window.shown == "home")
        window.present("picker")
        let picker = window.navigator.topLayer
        var isPublished = publishes({ base.sheet }, during: { base[above: picker.id, as: .sheet] = composer })
        #expect(isPublished)
        isPublished = publishes({ base.sheet }, during: { base[above: picker.id, as: .sheet] = picker })
        #expect(!isPublished)
        #expect(window.shown == "home / picker")
    }

    @Test(.rule("V19"), arguments: [PresentationStyle.sheet, .cover])
    func `closing a layer twice does not close the next one`(style: PresentationStyle) {
        let window = TestWindow(pace: .immediate)
        window.root("home")
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

    @Test(.rule("V19")) func `a layer that is closed while lifetimes end is the one that was named`() {
        let window = TestWindow(pace: .immediate)
        window.root("home")
        let course = window.navigator.push("course")
        window.present("composer")
        let composer = window.navigator.topLayer
        window.follow(course) {
            composer.close()
            composer.close()
        }
        window.follow(window.navigator.present("survey"))
        window.navigator.dismiss(course)
        #expect(window.layers == "home")
        #expect(window.ended == ["course", "survey", "composer"])
    }

    @Test(.rule("V19")) func `a repeated report that the user went back does not remove the next place`() {
        let window = TestWindow()
        window.root("home")
        let course = window.push("course")
        let stack = window.navigator.base.stack
        let shown = [course.id]
        stack[path: shown] = []
        window.push("tutor")
        stack[path: shown] = []
        #expect(window.layers == "home tutor")
        stack[path: stack[path: shown].map(\.id)] = []
        #expect(window.layers == "home")
        #expect(window.ended == ["course", "tutor"])
    }

    @Test(.rule("V19")) func `a report that a layer has gone is not about the next one`() {
        let window = TestWindow()
        window.root("home")
        let base = window.navigator.base
        window.present("a")
        window.navigator.topLayer.appeared()
        let aHasGone = base.uncovered
        window.navigator.topLayer.close()
        aHasGone()
        window.present("b")
        window.navigator.topLayer.appeared()
        window.navigator.returnHome()
        window.present("c")
        aHasGone()
        #expect(window.shown == "home")
        base.uncovered()
        #expect(window.shown == "home / c")
    }

    @Test(.rule("V26")) func `a sheet that the user closes takes along what was pushed meanwhile`() {
        let window = TestWindow()
        window.root("home")
        window.present("composer")
        let layer = window.navigator.topLayer
        layer.appeared()
        let early = window.push("picker")
        layer.close()
        #expect(early.dismissal == .byUser)
        #expect(window.ended == ["picker", "composer"])
        // The sheet has left, so a later place is shown below it.
        let late = window.push("tutor")
        #expect(window.layers == "home tutor")
        #expect(late.dismissal == nil)
    }

    @Test(.rule("V11")) func `a user's choice of a tab keeps all stacks`() {
        let window = TestWindow()
        window.navigator.setTabs(["home", "search"])
        window.push("course")
        let base = window.navigator.base
        base.selection = base.stacks[1].id
        #expect(window.layers == "search")
        window.push("result")
        base.selection = base.stacks[0].id
        #expect(window.layers == "home course")
        #expect(window.ended == [])
    }

    @Test(.rule("V11")) func `selecting the selected tab returns it to its root`() {
        let window = TestWindow()
        window.navigator.setTabs(["home", "search"])
        let course = window.push("course")
        window.navigator.base.selection = window.navigator.base.selection
        #expect(window.layers == "home")
        #expect(course.dismissal == .byUser)
    }

    @Test(.rule("V11")) func `an unknown tab is refused, and the selection is published again`() {
        let window = TestWindow()
        window.navigator.setTabs(["home", "search"])
        let other = TestWindow().navigator.base.selection
        let base = window.navigator.base
        let isPublished = publishes({ base.selection }, during: { base.selection = other })
        #expect(isPublished)
        #expect(window.layers == "home")
    }

    @Test(.rule("V11")) func `a stack that appears is published again`() {
        let window = TestWindow()
        window.navigator.setTabs(["home", "search"])
        let stack = window.navigator.base.stacks[1]
        let isPublished = publishes({ stack.path }, during: { stack.appeared() })
        #expect(isPublished)
    }
}
