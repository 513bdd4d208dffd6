#if canImport(SwiftUI)
    import BackplaneFeatures
    import ProductModels
    import ScreensSwiftUI
    import SwiftUI

    /// Whether the product is a favorite, and the button that changes it.
    struct FavoriteSection: View {
        let page: ProductModel

        var body: some View {
            if let favorites = page.favorites {
                LoadSection("Favorite", favorites.state) { _ in
                    ChangeRows(page.favoriteChanges) { change in
                        page.dismiss(change: change)
                    } resend: {
                        page.resend()
                    }
                    row
                } retry: {
                    page.retry(.favorite)
                }
            } else {
                // A user who is not signed in sees the login form first.
                Section("Favorite") { row }
            }
        }

        private var row: some View {
            HStack {
                Button {
                    page.setFavorite(!page.isFavorite)
                } label: {
                    Label(
                        page.isFavorite ? "One of your favorites" : "Add to your favorites",
                        systemImage: page.isFavorite ? "star.fill" : "star"
                    )
                }
                if page.isFavoriteUnsaved {
                    Spacer()
                    Text("Not saved yet").font(.footnote).foregroundStyle(.secondary)
                }
            }
        }
    }
#endif
