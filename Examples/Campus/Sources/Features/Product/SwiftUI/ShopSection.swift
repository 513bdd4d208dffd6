#if canImport(SwiftUI)
    import CampusModels
    import Foundation
    import ProductModels
    import ScreensSwiftUI
    import SwiftUI

    /// The buttons of a product that is for sale, and what came of them.
    struct ShopSection: View {
        let page: ProductModel

        var body: some View {
            Section {
                if let problem = page.purchaseProblem { ProblemLabel(problem) }
                if let onTheWay = page.onTheWay {
                    Text("A purchase of this is on its way since \(onTheWay.date.formatted()).").foregroundStyle(
                        .secondary
                    )
                }
                if let receipt = page.receipt {
                    Text("You have bought this for \(receipt.price.description).")
                }
                if let shared = page.shared {
                    Text("Copy this link to \(shared.title): campus:/\(shared.link)")
                }
                Button(page.isPurchasing ? "Buying …" : "Buy") { page.buy() }
                    .disabled(!page.canBuy)
                Button("Ask about it") { page.ask() }
                Button("Share") { page.share() }
            }
        }
    }
#endif
