#if canImport(UIKit)
    import BackplaneFeatures
    import Foundation
    import Observation
    import UIKit

    /// The day on which an order arrives, which the controller loads by itself.
    final class DeliveryViewController: UIViewController {
        let delivery: Loader<Order.ID, String>
        let performer = ActionPerformer()
        private let id: Order.ID
        private let postpone: (Order.ID) async throws -> Void

        init(
            id: Order.ID,
            load: @escaping (Order.ID) async throws -> String,
            postpone: @escaping (Order.ID) async throws -> Void
        ) {
            self.id = id
            self.postpone = postpone
            delivery = Loader(load)
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable) required init?(coder: NSCoder) { nil }

        override func viewDidLoad() {
            super.viewDidLoad()
            delivery.load(id)
            follow()
        }

        /// Shows the state now, and again one turn after a change of what this has read.
        private func follow() {
            withObservationTracking {
                title = text
                view.isUserInteractionEnabled = !performer.isPerforming
            } onChange: { [weak self] in
                Task { @MainActor in self?.follow() }
            }
        }

        private var text: String {
            if performer.error != nil { return "Not postponed" }
            return switch delivery.state {
            case .idle, .loading(previous: nil): "Loading …"
            case .loading(let day?), .loaded(let day): day
            case .deleted: "Cancelled"
            case .failed: "Not loaded"
            }
        }

        /// Performs the action of the button "Try again".
        func retryTapped() { delivery.retry() }

        /// Performs the action of the button "Deliver later".
        func postponeTapped() {
            performer.perform {
                try await self.postpone(self.id)
                self.delivery.reload()
            }
        }
    }
#endif
