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

/// M10, M17: tests of favorites and purchases with the actions of the assembly.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProductFlowTests {
    private let campus = HeadlessCampus()

    private func open(as user: User.ID? = "ada") async {
        campus.server.user = user
        campus.prepare()
        campus.motherboard.activate(ProductPage.id, with: "cards")
        await campus.shows("Punched Cards")
    }

    private var favorite: String { campus.section("favorite") }

    @Test(.rule("M10"))
    func `a favorite shows before the server responds, on every product page of the window`() async {
        let latch = AsyncLatch()
        campus.server.favoriteLatch = latch
        await open()
        #expect(favorite.contains("isFavorite: false, isUnsaved: false"))
        campus.press("favorite")
        await campus.until { favorite.contains("isFavorite: true, isUnsaved: true") }
        campus.motherboard.activate(ProductPage.id, with: "cards")
        #expect(favorite.contains("isFavorite: true, isUnsaved: true"))
        #expect(campus.server.favorites.isEmpty)
        latch.open()
        await campus.until { favorite.contains("isFavorite: true, isUnsaved: false") }
        #expect(campus.server.favorites == ["cards"])
        await campus.shows("Punched Cards")
        campus.press("unfavorite")
        await campus.until { favorite.contains("isFavorite: false, isUnsaved: false") }
        #expect(campus.server.favorites.isEmpty)
    }

    @Test(.rule("A4")) func `a rejected favorite is reverted, and its reason stays until it is dismissed`() async {
        campus.server.favoriteRefusals = [refusal("You have too many.")]
        await open()
        campus.press("favorite")
        await campus.until { favorite.contains("You have too many.") }
        #expect(favorite.contains("isFavorite: false, isUnsaved: false"))
        let id = favorite.firstMatch(of: /Refusal\(id: "(?<id>[^"]+)"/)?.id
        campus.press("dismiss", ["change": String(id ?? "")])
        #expect(!favorite.contains("You have too many."))
    }

    @Test(.rule("M17")) func `each press makes one purchase and shows its receipt`() async {
        await open()
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.section("shop").contains("You have bought this for €4.95."))
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.server.purchases.count == 2, "each press after a response is another purchase")
    }

    @Test func `if another product is opened, a purchase continues, and its receipt is shown`() async {
        let latch = AsyncLatch()
        campus.server.purchaseLatch = latch
        await open()
        campus.press("purchase")
        await latch.arrivals(atLeast: 1)
        let first = campus.navigator.top?.screen
        campus.motherboard.activate(ProductPage.id, with: "cards")
        latch.open()
        await campus.until { first?.isBusy == false }
        let shop = first?.sections.last.map { "\($0.model())" } ?? ""
        #expect(shop.contains("You have bought this for €4.95."))
        #expect(campus.server.purchases.count == 1)
    }

    @Test(.rule("A5")) func `a purchase whose response is lost is retried with the same key`() async {
        campus.server.purchaseErrors = [DisplayError("No answer.")]
        await open()
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.section("shop").contains("No answer."))
        #expect(campus.server.purchases.count == 1)
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.section("shop").contains("You have bought this"))
        #expect(campus.server.purchases.count == 1)
    }

    @Test(.rule("A4")) func `a rejected purchase gets a new key at the next attempt`() async {
        campus.server.purchaseErrors = [refusal("Not today.")]
        await open()
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.section("shop").contains("Not today."))
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.server.purchases.count == 1)
        #expect(campus.server.purchaseKeys.count == 2)
    }

    @Test(.rule("M17"), arguments: ["purchase", "favorite"])
    func `a button pressed while signed out asks to sign in and then performs its action`(button: String) async {
        await open(as: nil)
        campus.press(button)
        await campus.signIn(password: "wrong")
        await campus.until { campus.server.refusals == 1 }
        await campus.signIn()
        await campus.shows("Punched Cards")
        #expect(campus.paths == ["/product/cards"])
        #expect(campus.server.purchases.count == (button == "purchase" ? 1 : 0))
        #expect(campus.server.favorites == (button == "favorite" ? ["cards"] : []))
        #expect(favorite.contains("isFavorite: \(button == "favorite")"))
    }

    @Test(.rule("M17"), arguments: ["purchase", "favorite"])
    func `leaving the sign-in returns to the unchanged product`(button: String) async {
        await open(as: nil)
        let before = (favorite, campus.section("shop"))
        campus.press(button)
        await campus.until { campus.title == "Sign in" }
        #expect(campus.navigator.back(to: "/product/cards"))
        await campus.shows("Punched Cards")
        #expect((favorite, campus.section("shop")) == before)
        #expect(campus.server.purchases.isEmpty)
        #expect(campus.server.favorites.isEmpty)
    }

    @Test(.rule("M5", "B56")) func `a question about a product leads through the login to a message and back`() async {
        await open(as: nil)
        campus.press("ask")
        await campus.signIn()
        await campus.shows("New message")
        #expect(campus.section("message").contains("About Punched Cards: "))
        campus.press("cancel", ["text": ""])
        await campus.shows("Punched Cards")
        #expect(campus.paths == ["/product/cards"])
    }

    @Test(.rule("M16")) func `a sign-in shows the user's favorites on an open product`() async {
        await open()
        campus.press("favorite")
        await campus.shows("Punched Cards")
        campus.navigator.setRoot(EmptyScreen())
        campus.motherboard.complete(Session.id)
        await open(as: nil)
        #expect(favorite.contains("isFavorite: false"))
        campus.press("purchase")
        await campus.signIn()
        await campus.shows("Punched Cards")
        #expect(favorite.contains("isFavorite: true"))
    }
}
