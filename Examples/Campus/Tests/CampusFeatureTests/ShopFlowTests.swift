import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import CatalogInterface
import ProductInterface
import Screens
import Testing
import WebHost

/// Tests of the campus shop, which needs no sign-in.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ShopFlowTests {
    private let campus = HeadlessCampus()

    @Test func `the catalog opens a product, and going back returns to the catalog`() async {
        campus.motherboard.open("/catalog")
        await campus.shows("Campus shop")
        campus.press("open", ["product": "cards"])
        await campus.shows("Punched Cards")
        #expect(campus.paths == ["/catalog", "/product/cards"])
        #expect(campus.section("product").contains("€4.95"))
        #expect(campus.navigator.back(to: "/catalog"))
        #expect(campus.title == "Campus shop")
    }

    @Test func `a missing product shows one message with a link`() async {
        campus.motherboard.open("/product/nope")
        await campus.shows("Product not found")
        #expect(campus.navigator.top?.screen.isMissing == true)
        #expect(campus.navigator.top?.screen.sections.map(\.id) == ["missing"])
    }

    @Test(.rule("B28")) func `a loaded product is kept when its screen leaves`() async {
        let product = campus.motherboard.activate(ProductPage.id, with: "cards")
        await campus.shows("Punched Cards")
        campus.motherboard.activate(Catalog.id)
        campus.navigator.back(to: "/product/cards")
        campus.navigator.setRoot(EmptyScreen())
        #expect(product.state == .active)

        campus.server.productLatch = AsyncLatch()
        campus.motherboard.activate(ProductPage.id, with: "cards")
        #expect(campus.title == "Punched Cards")
        #expect(campus.section("product").contains("Blank."))
    }

    @Test(.rule("B28")) func `a product's component lives as long as its window`() async {
        let latch = AsyncLatch()
        campus.server.productLatch = latch
        campus.motherboard.open("/product/cards")
        await campus.until { campus.server.productRequests == 1 }
        campus.navigator.setRoot(EmptyScreen())
        // If the component had left with the screen, this link would load the product again.
        campus.motherboard.open("/product/cards")
        campus.navigator.close()
        latch.open()
        await campus.until { campus.server.cancelledProductRequests == 1 }
        #expect(campus.server.productRequests == 1)
    }
}
