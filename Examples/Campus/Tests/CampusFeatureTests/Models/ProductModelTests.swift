import Backplane
import BackplaneFeatures
import BackplaneTesting
import CampusModels
import ProductInterface
import ProductModels
import Screens
import Testing

/// Tests of the product's model without a host.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProductModelTests {
    /// A board that performs the work when the test says so.
    private final class FakeBoard: ProductContext {
        let favorites = ProductModel.Favorites(store: RecordStore()) { _ in [] }
        /// The response of the server to purchases and changes of favorites.
        var respond: () async throws -> Void = {}
        private(set) var purchases: [Product.ID] = []
        private(set) var questions: [String] = []
        private var work: [() async throws -> Void] = []

        func start(_ work: @escaping () async throws -> Void) -> Task<Void, Never> {
            self.work.append(work)
            return Task {}
        }

        func finishWork() async {
            while !work.isEmpty {
                let next = work.removeFirst()
                try? await next()
            }
        }

        func openShop() {
            questions.append("shop")
        }

        func ask(about title: String) {
            questions.append(title)
        }

        func result<Contract>(of board: BoardID<Contract>, with input: Contract.Input) async throws -> Contract.Output {
            throw CancellationError()
        }

        func purchase(_ product: Product) async throws -> Purchase {
            purchases.append(product.id)
            try await respond()
            return Purchase(id: "1", product: product.id, price: Price(cents: 450))
        }

        func make(_ change: FavoriteChange) async throws {
            let respond = respond
            try favorites.enqueue(Mutation(change.intent) { _ in try await respond() })
        }
    }

    private let board = FakeBoard()

    /// Creates a screen of a product that has not loaded.
    private func makeProduct(
        _ id: Product.ID = "cards",
        favorites: ProductModel.Favorites? = nil
    ) -> ProductModel {
        let board = board
        return ProductModel(
            id: id,
            product: Loader { id in
                Product(id: id, title: "Punched Cards", description: "Blank.", price: Price(cents: 495))
            },
            actions: ProductModel.Actions(
                load: { _ in throw CancellationError() },
                purchase: { _, product in try await board.purchase(product) },
                favorite: { _, change in try await board.make(change) },
                share: { page, product in page.show(link: page.path, to: product.title) }
            ),
            startTask: { work in board.start(work) },
            context: board,
            favorites: { favorites }
        )
    }

    private func load(_ product: ProductModel) async {
        product.product.load(product.id, on: MainActor.shared)
        while product.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `the path of a product contains its encoded ID`() {
        #expect(makeProduct("cards").path == "/product/cards")
        #expect(makeProduct("ink & paper").path == "/product/ink%20%26%20paper")
    }

    @Test func `only one purchase runs at a time, and its receipt stays until the next`() async {
        let product = makeProduct()
        product.buy()
        #expect(!product.isBusy, "its price does not show yet")
        await load(product)
        product.buy()
        product.buy()
        #expect(product.isPurchasing)
        #expect(product.isBusy)
        #expect(product.receipt == nil)
        await board.finishWork()
        #expect(board.purchases == ["cards"])
        #expect(!product.isBusy)
        #expect(product.receipt?.price == Price(cents: 450))
        product.buy()
        #expect(product.receipt == nil)
        await board.finishWork()
        #expect(board.purchases == ["cards", "cards"])
    }

    @Test func `a failed purchase keeps its reason until the next purchase`() async {
        let product = makeProduct()
        await load(product)
        board.respond = { throw DisplayError("Sold out.") }
        product.buy()
        await board.finishWork()
        #expect(product.purchaseProblem == "Sold out.")
        #expect(product.receipt == nil)
        #expect(!product.isPurchasing)
        board.respond = {}
        product.buy()
        #expect(product.purchaseProblem == nil)
        await board.finishWork()
        #expect(product.receipt != nil)
    }

    @Test func `a purchase that the user cancels has no receipt and no reason`() async {
        let product = makeProduct()
        await load(product)
        board.respond = { throw CancellationError() }
        product.buy()
        await board.finishWork()
        #expect(product.receipt == nil)
        #expect(product.purchaseProblem == nil)
        #expect(!product.isBusy)
    }

    @Test func `a user can share a product, or ask about it, only after it has loaded`() async {
        let product = makeProduct()
        product.share()
        product.ask()
        #expect(product.shared == nil)
        #expect(board.questions.isEmpty)
        await load(product)
        product.share()
        product.ask()
        #expect(product.shared?.title == "Punched Cards")
        #expect(product.shared?.link == "/product/cards")
        #expect(board.questions == ["Punched Cards"])
    }

    @Test func `a favorite shows before the server responds, and a rejected one is reverted`() async throws {
        let latch = AsyncLatch()
        board.respond = {
            await latch.wait()
            throw refusal("You have too many.")
        }
        board.favorites.load(on: MainActor.shared)
        while board.favorites.state.isLoading, !Task.isCancelled { await Task.yield() }
        let product = makeProduct(favorites: board.favorites)
        let other = makeProduct("chalk", favorites: board.favorites)
        product.setFavorite(true)
        #expect(product.isBusy)
        let work = Task { await board.finishWork() }
        while !product.isFavorite, !Task.isCancelled { await Task.yield() }
        #expect(product.isFavoriteUnsaved)
        #expect(!other.isFavoriteUnsaved)
        latch.open()
        await work.value
        // The favorites are loaded again after a rejection.
        while product.isBusy, !Task.isCancelled { await Task.yield() }
        #expect(!product.isFavorite)
        #expect(!product.isFavoriteUnsaved)
        let change = try #require(product.favoriteChanges.first)
        #expect(change.status == .failed)
        product.dismiss(change: "\(change.id)")
        #expect(product.favoriteChanges.isEmpty)
    }

    @Test func `without a user there are no favorites`() {
        let product = makeProduct()
        #expect(product.favorites == nil)
        #expect(!product.isFavorite)
        #expect(product.favoriteChanges.isEmpty)
    }
}
