#if canImport(SwiftUI)
    import BackplaneFeatures
    import CampusModels
    public import ProductModels
    import ScreensSwiftUI
    public import SwiftUI

    /// One product of the campus shop in SwiftUI.
    public struct ProductView: View {
        private let page: ProductModel

        /// Creates a view of this product.
        public init(_ page: ProductModel) {
            self.page = page
        }

        /// The view of the product.
        public var body: some View {
            Group {
                if page.isMissing { missing } else { sections }
            }
            .navigationTitle(page.product.value?.title ?? "Product")
        }

        private var missing: some View {
            ContentUnavailableView {
                Label("Product not found", systemImage: "questionmark.circle")
            } description: {
                Text("There is no such product.")
            } actions: {
                Button("The whole campus shop") { page.openShop() }
            }
        }

        private var sections: some View {
            List {
                LoadSection("About this product", page.product.state) { product in
                    Text(product.description)
                    Text(verbatim: "\(product.price)").font(.headline)
                } retry: {
                    page.retry(.product)
                }
                if page.isForSale {
                    FavoriteSection(page: page)
                    ShopSection(page: page)
                }
            }
        }
    }
#endif
