#if canImport(UIKit)
    import Foundation
    import UIKit

    /// The form with the address of an order, without its views, which call its methods.
    final class AddressViewController: UIViewController {
        let address: String
        var onSave: (String) -> Void = { _ in }
        var onCancel: () -> Void = {}

        init(address: String) {
            self.address = address
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable) required init?(coder: NSCoder) { nil }

        /// Performs the action of the button "Save" with the text of the form's field.
        func saveTapped(_ address: String) { onSave(address) }

        /// Performs the action of the button "Cancel".
        func cancelTapped() { onCancel() }
    }
#endif
