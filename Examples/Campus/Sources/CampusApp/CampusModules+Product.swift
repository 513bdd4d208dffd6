import BackplaneFeatures
import CampusModels
import ProductFeature
import Screens

extension CampusModules {
    var product: ProductModule {
        let (backend, purchases, favourites) = (backend, purchases, favourites)
        return ProductModule(
            navigation: navigation,
            actions: (
                load: { _, id in try await backend.product(id) },
                purchase: { place, id in
                    try await place.logIn()
                    return try await purchases.purchase(id)
                },
                favorite: { place, change in
                    try await place.logIn()
                    try await favourites.mutate(Self.mutation(for: change, at: backend))
                },
                share: { place, product in place.show(link: place.path, to: product.title) }
            ),
            favourites: favourites
        )
    }

    private static func mutation(
        for change: FavouriteChange,
        at backend: any CampusBackend
    ) -> Mutation<Set<Product.ID>> {
        Mutation(label: change.product.rawValue) { favourites in
            if change.isFavourite {
                favourites.insert(change.product)
            } else {
                favourites.remove(change.product)
            }
        } send: { _ in
            // No key is needed: carried out twice, it comes to the same.
            try await backend.setFavourite(change.product, to: change.isFavourite)
        }
    }
}
