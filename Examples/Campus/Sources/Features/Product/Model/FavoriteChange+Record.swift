public import BackplaneFeatures
public import CampusModels
public import ProductInterface

// The change as the store of the favorites sends it.
extension FavoriteChange: RecordChange {
    /// The change in the user's favorites.
    public var intent: Intent<Set<Product.ID>> {
        .edit(of: product) { favorites in
            if isFavorite {
                favorites.insert(product)
            } else {
                favorites.remove(product)
            }
        }
    }
}
