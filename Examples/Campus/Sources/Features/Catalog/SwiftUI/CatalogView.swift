#if canImport(SwiftUI)
    import BackplaneFeatures
    import BackplaneSwiftUI
    import CampusModels
    public import CatalogModels
    public import SwiftUI

    /// The products of the campus shop in SwiftUI.
    public struct CatalogView: View {
        private let catalog: CatalogModel

        /// Creates a view of this catalog.
        public init(_ catalog: CatalogModel) {
            self.catalog = catalog
        }

        /// The view of the catalog.
        public var body: some View {
            LoadView(catalog.products.state, retry: catalog.products.retry) { products in
                List {
                    ForEach(products) { row(of: $0) }
                    if products.isEmpty {
                        Text("The shop has nothing at the moment.").foregroundStyle(.secondary)
                    }
                }
            }
            .navigationTitle("Campus shop")
        }

        private func row(of product: Product) -> some View {
            Button {
                catalog.open(product.id)
            } label: {
                HStack {
                    Text(product.title)
                    Spacer()
                    Text(verbatim: "\(product.price)").foregroundStyle(.secondary)
                }
            }
        }
    }
#endif
