import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import ProductFeature
import ProductInterface
import ProductModels
import Screens
import Testing
import WebHost

/// Tests of the product's screen with actions that record their calls.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProductActionTests {
    /// A record of the actions' calls, and the behavior of the actions.
    @MainActor private final class Spy {
        var performed: [String] = []
        var latch: AsyncLatch?
        var error: (any Error)?

        func perform(_ action: String) async throws {
            performed.append(action)
            await latch?.wait()
            if let error { throw error }
        }
    }

    private let spy = Spy()
    private let motherboard = Motherboard.onMain()
    private let navigator = ScreenNavigator.onMain(hasTransitions: false)

    init() {
        let spy = spy
        motherboard.install(
            ProductModule(
                navigator: navigator,
                actions: ProductModel.Actions(
                    load: { id in
                        spy.performed.append("load \(id)")
                        return Product(id: id, title: "Punched Cards", description: "Blank.", price: Price(cents: 495))
                    },
                    purchase: { _, product in
                        try await spy.perform("purchase \(product.id)")
                        return Purchase(id: "1", product: product.id, price: Price(cents: 450))
                    },
                    favorite: { _, change in
                        try await spy.perform("favorite \(change.product) \(change.isFavorite)")
                    },
                    share: { product, shared in
                        spy.performed.append("share \(shared.id)")
                        product.show(link: product.path, to: shared.title)
                    }
                )
            )
        )
    }

    private func open() async {
        motherboard.activate(ProductPage.id, with: "cards")
        await settle()
        spy.performed = []
    }

    private func press(_ event: String) {
        navigator.top?.screen.handle(ScreenEvent(name: event))
    }

    private func settle() async {
        while navigator.top?.screen.isBusy == true, !Task.isCancelled { await Task.yield() }
    }

    private func section(_ id: String) -> String {
        navigator.top?.screen.sections.first { $0.id == id }.map { "\($0.model())" } ?? ""
    }

    @Test(.rule("M17")) func `the load action loads the product`() async {
        motherboard.activate(ProductPage.id, with: "cards")
        await settle()
        #expect(spy.performed == ["load cards"])
        #expect(section("product").contains("Blank."))
    }

    @Test(
        .rule("M17"),
        arguments: [
            ("purchase", "purchase cards"), ("favorite", "favorite cards true"),
            ("unfavorite", "favorite cards false"),
            ("share", "share cards"),
        ]
    )
    func `a button performs its action once`(button: String, action: String) async {
        await open()
        press(button)
        await settle()
        #expect(spy.performed == [action])
    }

    @Test(.rule("M17")) func `the receipt shows only after the purchase action has returned`() async {
        let latch = AsyncLatch()
        spy.latch = latch
        await open()
        press("purchase")
        while spy.performed.isEmpty, !Task.isCancelled { await Task.yield() }
        press("purchase")
        #expect(section("shop").contains("isPurchasing: true, canBuy: false, onTheWay: nil, receipt: nil"))
        latch.open()
        await settle()
        #expect(spy.performed.count == 1, "only one purchase runs at a time")
        #expect(section("shop").contains("You have bought this for €4.50."))
    }

    @Test(.rule("M17")) func `a failed purchase shows the action's message until the next purchase`() async {
        spy.error = DisplayError("Sold out.")
        await open()
        press("purchase")
        await settle()
        #expect(section("shop").contains("Sold out."))
        spy.error = nil
        press("purchase")
        await settle()
        #expect(!section("shop").contains("Sold out."))
    }

    @Test(.rule("M17")) func `a cancelled action leaves the screen unchanged`() async {
        spy.error = CancellationError()
        await open()
        let before = section("shop")
        press("purchase")
        press("favorite")
        await settle()
        #expect(section("shop") == before)
        #expect(spy.performed.count == 2)
    }

    @Test(.rule("M17")) func `an action can show a link on its screen`() async {
        await open()
        #expect(!section("shop").contains("/product/cards"))
        press("share")
        #expect(section("shop").contains(#"SharedLink(title: "Punched Cards", link: "/product/cards")"#))
    }

    @Test(.rule("M12")) func `a read-only product has no buttons and ignores events`() async {
        let motherboard = Motherboard.onMain()
        motherboard.install(
            ProductModule(
                navigator: navigator,
                actions: ProductModel.Actions { id in
                    Product(id: id, title: "Notes", description: "", price: Price(cents: 1))
                }
            )
        )
        motherboard.activate(ProductPage.id, with: "notes")
        await settle()
        #expect(navigator.top?.screen.title == "Notes")
        for event in ["purchase", "favorite", "unfavorite", "share", "dismiss", "nonsense"] { press(event) }
        await settle()
        #expect(navigator.top?.screen.sections.map(\.id) == ["breadcrumb", "product"])
    }
}
