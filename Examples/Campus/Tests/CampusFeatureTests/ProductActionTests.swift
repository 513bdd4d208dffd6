import Backplane
import BackplaneFeatures
import BackplaneTesting
import CampusModels
import ProductFeature
import ProductInterface
import Screens
import TestSupport
import Testing

/// The product's screen by itself, with actions that take notes.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProductActionTests {
    /// What the actions were performed with, and what they do.
    @MainActor private final class Spy {
        var performed: [String] = []
        var gate: AsyncLatch?
        var error: (any Error)?

        func perform(_ action: String) async throws {
            performed.append(action)
            await gate?.wait()
            if let error { throw error }
        }
    }

    private let spy = Spy()
    private let motherboard = Motherboard.onMain()
    private let navigation = Navigation()

    init() {
        let spy = spy
        motherboard.install(
            ProductModule(
                navigation: navigation,
                actions: (
                    load: { _, id in
                        spy.performed.append("load \(id)")
                        return Product(id: id, title: "Punched Cards", description: "Blank.", price: Price(cents: 495))
                    },
                    purchase: { _, id in
                        try await spy.perform("purchase \(id)")
                        return Purchase(id: "1", product: id, price: Price(cents: 450))
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
        motherboard.activate(.product, with: "cards")
        await settle()
        spy.performed = []
    }

    private func press(_ event: String) {
        navigation.top?.handle(ScreenEvent(name: event))
    }

    private func settle() async {
        while navigation.top?.isBusy == true, !Task.isCancelled { await Task.yield() }
    }

    private func section(_ id: String) -> String {
        navigation.top?.sections.first { $0.id == id }.map { "\($0.model())" } ?? ""
    }

    @Test(.rule("M17")) func `the product is loaded by its action`() async {
        motherboard.activate(.product, with: "cards")
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
    func `a button performs its action, once`(button: String, action: String) async {
        await open()
        press(button)
        await settle()
        #expect(spy.performed == [action])
    }

    @Test(.rule("M17")) func `what was bought is said when the action has returned, and not before`() async {
        let gate = AsyncLatch()
        spy.gate = gate
        await open()
        press("purchase")
        while spy.performed.isEmpty, !Task.isCancelled { await Task.yield() }
        press("purchase")
        #expect(section("shop").contains("isPurchasing: true, receipt: nil"))
        gate.open()
        await settle()
        #expect(spy.performed.count == 1, "one at a time")
        #expect(section("shop").contains("You have bought this for €4.50."))
    }

    @Test(.rule("M17")) func `why nothing was bought is said in the action's words, and not a second time`() async {
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

    @Test(.rule("M17")) func `who gives an action up finds all as it was`() async {
        spy.error = CancellationError()
        await open()
        let before = section("shop")
        press("purchase")
        press("favorite")
        await settle()
        #expect(section("shop") == before)
        #expect(spy.performed.count == 2)
    }

    @Test(.rule("M17")) func `an action may show something where it is performed`() async {
        await open()
        #expect(!section("shop").contains("/product/cards"))
        press("share")
        #expect(section("shop").contains(#"SharedModel(title: "Punched Cards", link: "/product/cards")"#))
    }

    @Test(.rule("M12")) func `a product that can only be looked at has no buttons, and no event does anything`() async {
        let motherboard = Motherboard.onMain()
        motherboard.install(
            ProductModule(navigation: navigation) { id in
                Product(id: id, title: "Notes", description: "", price: Price(cents: 1))
            }
        )
        motherboard.activate(.product, with: "notes")
        await settle()
        #expect(navigation.top?.title == "Notes")
        for event in ["purchase", "favorite", "unfavorite", "share", "dismiss", "nonsense"] { press(event) }
        await settle()
        #expect(navigation.top?.sections.map(\.id) == ["product"])
    }
}
