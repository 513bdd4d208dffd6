import BackplaneNavigation
import TestSupport
import Testing

@MainActor @Suite(.everyOwnerPath) struct UncoverTests {
    @Test(.rule("V13")) func `uncovering drops layers down to the highest pinned one, and says so`() {
        let window = TestWindow()
        window.root("home")
        window.present("composer")
        #expect(window.navigator.uncover())
        #expect(window.layers == "home")
        window.present("composer")
        window.present("login", pinned: true)
        window.present("help")
        #expect(!window.navigator.uncover())
        #expect(window.layers == "home / composer / login")
        #expect(window.ended == ["composer", "help"])
    }

    @Test(.rule("V13")) func `a layer can be pinned while it is shown`() {
        let window = TestWindow()
        window.root("home")
        window.present("composer")
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
}
