#if canImport(UIKit)
    import Backplane
    import BackplaneUIKit
    import UIKit

    extension Step2 {
        /// The board that shows the form, and leaves with it.
        final class AddressBoard: Board {
            let slot: Slot<AddressForm>
            private let navigation: UINavigationController
            private weak var form: AddressViewController?

            init(slot: Slot<AddressForm>, navigation: UINavigationController) {
                self.slot = slot
                self.navigation = navigation
            }

            func activate(with address: String) {
                let form = AddressViewController(address: address)
                form.onSave = { [slot] address in slot.complete(sending: address) }
                form.onCancel = { [slot] in slot.complete(.cancelled) }
                self.form = form
                navigation.present(form, animated: true)
                pair(with: form.life)
            }

            func didEnd(_ completion: Completion) {
                form?.presentingViewController?.dismiss(animated: true)
            }
        }
    }
#endif
