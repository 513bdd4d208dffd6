import Backplane
import BackplaneTesting
import CampusModels
import LoginInterface
import ProductInterface
import Screens
import TestSupport
import Testing

/// M10, M17: liking and buying what the shop has, as the assembly has it done.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProductFlowTests {
    private let campus = HeadlessCampus()

    private func open(as user: User.ID? = "ada") async {
        campus.server.user = user
        campus.prepare()
        campus.motherboard.activate(.product, with: "cards")
        await campus.shows("Punched Cards")
    }

    private var favorite: String { campus.section("favorite") }

    @Test(.rule("M10"))
    func `a favorite shows before the server has answered, and on every product page of the window`() async {
        let gate = AsyncLatch()
        campus.server.favoriteGate = gate
        await open()
        #expect(favorite.contains("isFavorite: false, isUnsaved: false"))
        campus.press("favorite")
        await campus.until { favorite.contains("isFavorite: true, isUnsaved: true") }
        campus.motherboard.activate(.product, with: "cards")
        #expect(favorite.contains("isFavorite: true, isUnsaved: true"))
        #expect(campus.server.favorites.isEmpty)
        gate.open()
        await campus.until { favorite.contains("isFavorite: true, isUnsaved: false") }
        #expect(campus.server.favorites == ["cards"])
        campus.press("unfavorite")
        await campus.until { favorite.contains("isFavorite: false, isUnsaved: false") }
        #expect(campus.server.favorites.isEmpty)
    }

    @Test(.rule("A4")) func `a favorite that is refused is taken back with the reason, until that is dismissed`() async
    {
        campus.server.favoriteRefusals = [DisplayError("You have too many.", isRejection: true)]
        await open()
        campus.press("favorite")
        await campus.until { favorite.contains("You have too many.") }
        #expect(favorite.contains("isFavorite: false, isUnsaved: false"))
        let id = favorite.firstMatch(of: /Refusal\(id: "(?<id>[^"]+)"/)?.id
        campus.press("dismiss", ["change": String(id ?? "")])
        #expect(!favorite.contains("You have too many."))
    }

    @Test(.rule("M17")) func `a purchase is made once, and its answer shown`() async {
        await open()
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.section("shop").contains("You have bought this for €4.95."))
        campus.press("purchase")
        await campus.shows("Punched Cards")
        #expect(campus.server.purchases.count == 2, "each press after an answer is another purchase")
    }

    @Test func `a purchase goes on, and is shown, when another product is opened meanwhile`() async {
        let gate = AsyncLatch()
        campus.server.purchaseGate = gate
        await open()
        campus.press("purchase")
        await gate.arrivals(atLeast: 1)
        let first = campus.navigation.top
        campus.motherboard.activate(.product, with: "cards")
        gate.open()
        await campus.until { first?.isBusy == false }
        let shop = first?.sections.last.map { "\($0.model())" } ?? ""
        #expect(shop.contains("You have bought this for €4.95."))
        #expect(campus.server.purchases.count == 1)
    }

    @Test(.rule("A5")) func `a purchase whose answer was lost is tried again with the same key`() async {
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

    @Test(.rule("A4")) func `a purchase that was refused is another one the next time`() async {
        campus.server.purchaseErrors = [DisplayError("Not today.", isRejection: true)]
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
    func `signed out, a button asks to log in, and then does what it was pressed for`(button: String) async {
        await open(as: nil)
        campus.press(button)
        await campus.logIn(password: "wrong")
        await campus.until { campus.server.refusals == 1 }
        await campus.logIn()
        await campus.shows("Punched Cards")
        #expect(campus.paths == ["/product/cards"])
        #expect(campus.server.purchases.count == (button == "purchase" ? 1 : 0))
        #expect(campus.server.favorites == (button == "favorite" ? ["cards"] : []))
        #expect(favorite.contains("isFavorite: \(button == "favorite")"))
    }

    @Test(.rule("M17"), arguments: ["purchase", "favorite"])
    func `who turns back from the log-in finds the product as it was`(button: String) async {
        await open(as: nil)
        let before = (favorite, campus.section("shop"))
        campus.press(button)
        await campus.until { campus.title == "Log in" }
        #expect(campus.navigation.back(to: "/product/cards"))
        await campus.shows("Punched Cards")
        #expect((favorite, campus.section("shop")) == before)
        #expect(campus.server.purchases.isEmpty)
        #expect(campus.server.favorites.isEmpty)
    }

    @Test(.rule("M5", "B56")) func `who asks about a product logs in, writes about it, and comes back to it`() async {
        await open(as: nil)
        campus.press("ask")
        await campus.logIn()
        await campus.shows("New message")
        #expect(campus.section("message").contains("About Punched Cards: "))
        campus.press("cancel", ["text": ""])
        await campus.shows("Punched Cards")
        #expect(campus.paths == ["/product/cards"])
    }

    @Test(.rule("M16")) func `who logs in sees their own favorites, where nobody had any before`() async {
        await open()
        campus.press("favorite")
        await campus.shows("Punched Cards")
        campus.navigation.setRoot(EmptyScreen())
        campus.motherboard.complete(.session)
        await open(as: nil)
        #expect(favorite.contains("isFavorite: false"))
        campus.press("purchase")
        await campus.logIn()
        await campus.shows("Punched Cards")
        #expect(favorite.contains("isFavorite: true"))
    }
}
