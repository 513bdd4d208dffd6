import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import LoginInterface
import ProductInterface
import Screens
import Testing
import WebHost

/// Tests of the gate in front of expensive purchases, which asks for the password again.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct PasswordFlowTests {
    private let campus = HeadlessCampus()
    private let question = "Your password, please"

    /// Opens a product of the signed-in user, and presses its button that buys it.
    private func buy(_ product: Product.ID, named title: String) async {
        campus.server.user = "ada"
        campus.prepare()
        campus.motherboard.activate(ProductPage.id, with: product)
        await campus.shows(title)
        campus.press("purchase")
    }

    private func type(_ password: String) {
        campus.press("sign-in", ["password": password])
    }

    private var bought: [String] { campus.server.purchases.values.map(\.product.rawValue).sorted() }

    @Test(.rule("B30", "B47")) func `an expensive purchase waits for the password, and a cheap one does not`() async {
        await buy("cards", named: "Punched Cards")
        await campus.until { bought == ["cards"] }
        await buy("engine", named: "Engine")
        await campus.shows(question)
        #expect(campus.section("login").contains("Engine costs €15.01."))
        #expect(campus.navigator.layers.map(\.style) == [nil, .sheet])
        type("wrong")
        await campus.until { campus.section("login").contains("Wrong.") }
        #expect(campus.server.purchaseKeys.count == 1, "nothing was sent")
        type("right")
        await campus.shows("Engine")
        #expect(bought == ["cards", "engine"])
        #expect(campus.section("shop").contains("You have bought this"))
    }

    @Test(.rule("B30")) func `a user who closes the question has bought nothing, and sees no problem`() async {
        await buy("engine", named: "Engine")
        await campus.shows(question)
        campus.press("cancel")
        await campus.shows("Engine")
        #expect(campus.section("shop").contains("receipt: nil, refusal: nil"))
        #expect(campus.server.purchaseKeys.isEmpty)
    }

    @Test(.rule("B47", "B69")) func `each purchase is a question of its own, also for the same product`() async {
        await buy("engine", named: "Engine")
        await campus.shows(question)
        type("right")
        await campus.shows("Engine")
        campus.press("purchase")
        await campus.shows(question)
        #expect(campus.server.purchases.count == 1, "an answer opens the gate once")
        campus.navigator.top?.dismiss()
        await campus.shows("Engine")
        #expect(campus.server.purchaseKeys.count == 1)
    }

    @Test(.rule("B32", "B47")) func `the second question is another one: its answer does not answer the first`() async {
        campus.server.user = "ada"
        campus.prepare()
        let purchases = campus.server.products.suffix(2).map { campus.motherboard.activate(Purchasing.id, with: $0) }
        #expect(purchases.map(\.state) == [.waiting, .waiting])
        #expect(campus.section("login").contains("Loom costs €99.00."))
        type("right")
        await campus.until { !campus.server.purchases.isEmpty }
        #expect(bought == ["loom"])
        #expect(purchases[0].state == .waiting)
        #expect(campus.section("login").contains("Engine costs €15.01."))
        campus.navigator.top?.dismiss()
        #expect(purchases[0].state == .denied(Denial(of: Purchasing.id, by: PasswordCheck.id, .gateCancelled)))
        #expect(bought == ["loom"])
    }

    /// The ways past the screen, which a program inside the app has.
    @Test(.rule("B30", "B43")) func `no other way to the board leads past the question`() async throws {
        campus.server.user = "ada"
        let engine = campus.server.products[1]
        for isInside in [false, true] {
            campus.prepare()
            let motherboard = isInside ? try #require(campus.inside) : campus.motherboard
            let purchase = motherboard.activate(Purchasing.id, with: engine)
            #expect(purchase.state == .waiting)
            let snapshot = motherboard.snapshot()
            purchase.complete(.cancelled)
            motherboard.restore(snapshot)
            motherboard.activate(PasswordCheck.id, with: "Engine costs €15.01.")
            while campus.navigator.top != nil { campus.navigator.top?.dismiss() }
            let result = Task { try await motherboard.result(of: Purchasing.id, with: engine) }
            await campus.shows(question)
            campus.motherboard.complete(Session.id)
            await #expect(throws: (any Error).self) { try await result.value }
        }
        #expect(campus.server.purchaseKeys.isEmpty)
    }
}
