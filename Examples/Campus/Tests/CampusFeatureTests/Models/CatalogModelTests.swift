import BackplaneFeatures
import CampusModels
import CatalogModels
import Screens
import Testing

/// Tests of the catalog's model without a host.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CatalogModelTests {
    private static let cards = Product(id: "cards", title: "Punched Cards", description: "", price: Price(cents: 495))

    private func settle(_ catalog: CatalogModel) async {
        while catalog.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a catalog loads nothing before its load is called`() {
        let catalog = CatalogModel(loadProducts: { [Self.cards] }, onOpen: { _ in })
        #expect(catalog.path == "/catalog")
        #expect(!catalog.isBusy)
        #expect(catalog.products.value == nil)
    }

    @Test func `a catalog is busy until its products have loaded`() async {
        let catalog = CatalogModel(loadProducts: { [Self.cards] }, onOpen: { _ in })
        catalog.products.load(on: MainActor.shared)
        #expect(catalog.isBusy)
        await settle(catalog)
        #expect(catalog.products.value == [Self.cards])
    }

    @Test func `a failed load keeps its error until the retry`() async {
        var errors = [DisplayError("The shop is closed.")]
        let catalog = CatalogModel(
            loadProducts: {
                if let error = errors.popLast() { throw error }
                return [Self.cards]
            },
            onOpen: { _ in }
        )
        catalog.products.load(on: MainActor.shared)
        await settle(catalog)
        #expect(catalog.products.state.problem == "The shop is closed.")
        #expect(catalog.products.value == nil)
        catalog.products.retry()
        await settle(catalog)
        #expect(catalog.products.state.error == nil)
        #expect(catalog.products.value == [Self.cards])
    }

    @Test func `a product opens by its ID, also before the products have loaded`() {
        var opened: [Product.ID] = []
        let catalog = CatalogModel(loadProducts: { [] }, onOpen: { opened.append($0) })
        catalog.open("cards")
        catalog.open("chalk")
        #expect(opened == ["cards", "chalk"])
    }
}
