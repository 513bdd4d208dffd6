import Backplane
import TestSupport
import Testing

/// A module with an identity of its own, where everything is on the main actor unless it says otherwise.
private struct TabModule: BoardModule {
    struct Tab: Hashable {
        let name: String
    }

    let identity: Tab
    let template: LinkTemplate

    func register(on motherboard: Motherboard) {
        motherboard.registerLink(template, to: BoardID<Plain>("tab \(identity.name)"))
    }
}

private enum Plain: BoardContract {}

private struct PlainModule: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.registerLink("plain", to: BoardID<Plain>("plain"))
    }
}

struct MainActorModuleTests {
    @Test(.rule("B62")) func `modules of a main-actor module say who they are`() {
        let motherboard = Motherboard()
        motherboard.install(
            TabModule(identity: .init(name: "a"), template: "a"),
            TabModule(identity: .init(name: "b"), template: "b"),
            PlainModule()
        )
        #expect(motherboard.open("/a") == .noMatch)
    }

    @Test(.rule("B51")) func `a link is awaited on the main actor`() async {
        let motherboard = Motherboard()
        #expect(await motherboard.open("/a").settled() == .noMatch)
        let opening = motherboard.open("app://a")
        let result = await opening.settled()
        #expect(result == .notAllowed)
    }
}
