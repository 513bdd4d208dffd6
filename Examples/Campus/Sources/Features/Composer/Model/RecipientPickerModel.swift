public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// The board of the recipient picker.
public protocol RecipientPickerDelegate: AnyObject {
    /// Replaces the recipients with exactly these contacts.
    func choose(_ contacts: [Contact])
    /// Closes the picker without a change.
    func cancel()
}

/// A choice among the user's contacts.
@Observable
public final class RecipientPickerModel: EventScreen {
    /// The deep link of the picker, as a path.
    public let path = "/compose/recipients"
    /// The contacts that were recipients when the picker opened.
    public let chosen: Set<Contact.ID>
    /// The contacts to choose from.
    public let contacts: Loader<NoID, [Contact]>
    /// The board of the picker, which receives the choice.
    @ObservationIgnored public weak var delegate: (any RecipientPickerDelegate)?

    /// Creates a picker that has not loaded its contacts yet.
    ///
    /// - Parameters:
    ///   - chosen: the contacts that are recipients now.
    ///   - loadContacts: loads the possible recipients.
    public init(chosen: Set<Contact.ID>, loadContacts: @escaping () async throws -> [Contact]) {
        self.chosen = chosen
        contacts = Loader(loadContacts)
    }

    /// Returns the name of the field by which a face reports that a contact is chosen.
    public static func field(of contact: Contact.ID) -> String { "contact-\(contact)" }

    /// Whether the contacts are loading.
    public var isBusy: Bool { contacts.state.isLoading }

    /// Loads the contacts again after a failed load.
    public func retry() {
        contacts.retry()
    }

    /// Replaces the recipients with the loaded contacts that have these IDs.
    public func choose(_ ids: Set<Contact.ID>) {
        delegate?.choose((contacts.value ?? []).filter { ids.contains($0.id) })
    }

    /// Closes the picker without a change.
    public func cancel() {
        delegate?.cancel()
    }
}

extension RecipientPickerModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Chooses the contacts that have a field: see ``field(of:)``.
        case choose
        /// Closes the picker without a change.
        case cancel
        /// Loads the contacts again after a failed load.
        case retry
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .choose: choose(Set((contacts.value ?? []).map(\.id).filter { fields.isOn(Self.field(of: $0)) }))
        case .cancel: cancel()
        case .retry: retry()
        }
    }
}
