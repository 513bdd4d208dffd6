#if canImport(SwiftUI)
    import BackplaneFeatures
    import BackplaneSwiftUI
    import CampusModels
    public import ComposerModels
    import Foundation
    public import SwiftUI

    /// The recipient picker in SwiftUI.
    public struct RecipientPickerView: View {
        private let picker: RecipientPickerModel
        /// The contacts that are chosen now; `nil` until the user changes the choice.
        @State private var changed: Set<Contact.ID>?

        /// Creates a view of this picker.
        public init(_ picker: RecipientPickerModel) {
            self.picker = picker
        }

        /// The view of the picker.
        public var body: some View {
            LoadView(picker.contacts.state, retry: picker.retry) { contacts in
                List {
                    ForEach(contacts) { row(of: $0) }
                    if contacts.isEmpty { Text("You have no contacts to write to.").foregroundStyle(.secondary) }
                }
            }
            .navigationTitle("Recipients")
            .toolbar {
                Button("Cancel", role: .cancel) { picker.cancel() }
                Button("Choose") { picker.choose(chosen) }.disabled(picker.contacts.value == nil)
            }
            // On macOS, a sheet is only as large as its content.
            .frame(minWidth: 320, minHeight: 320)
        }

        private var chosen: Set<Contact.ID> { changed ?? picker.chosen }

        private func row(of contact: Contact) -> some View {
            let isChosen = chosen.contains(contact.id)
            return Button {
                changed = chosen.symmetricDifference([contact.id])
            } label: {
                HStack {
                    Label(contact.name, systemImage: isChosen ? "checkmark.circle.fill" : "circle")
                    Spacer()
                    Text(contact.role.rawValue).foregroundStyle(.secondary)
                }
            }
            .accessibilityLabel(isChosen ? "\(contact.name), chosen" : "\(contact.name), not chosen")
        }
    }
#endif
