import Backplane
import TestSupport
import Testing

/// A module with its own `identity`, in a module with main-actor default isolation.
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
    @Test(.rule("B62")) func `a main-actor module can be installed twice with different identities`() {
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
