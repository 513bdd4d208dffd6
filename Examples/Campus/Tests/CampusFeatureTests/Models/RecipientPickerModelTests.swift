import BackplaneFeatures
import CampusModels
import ComposerModels
import Screens
import Testing

/// Tests of the recipient picker's model without a host.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RecipientPickerModelTests {
    private final class FakeBoard: RecipientPickerDelegate {
        private(set) var choices: [[Contact]] = []
        private(set) var cancellations = 0

        func choose(_ contacts: [Contact]) { choices.append(contacts) }

        func cancel() { cancellations += 1 }
    }

    private static let babbage = Contact(id: "babbage", name: "Charles Babbage", role: .tutor)
    private static let grace = Contact(id: "grace", name: "Grace Hopper", role: .student)
    private let board = FakeBoard()

    private func makePicker(
        chosen: Set<Contact.ID> = [],
        loadContacts: @escaping () async throws -> [Contact]
    ) -> RecipientPickerModel {
        let picker = RecipientPickerModel(chosen: chosen, loadContacts: loadContacts)
        picker.delegate = board
        return picker
    }

    private func load(_ picker: RecipientPickerModel) async {
        picker.contacts.load(on: MainActor.shared)
        await settle(picker)
    }

    private func settle(_ picker: RecipientPickerModel) async {
        while picker.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `the picker is busy until the contacts are loaded`() async {
        let picker = makePicker(chosen: ["grace"]) { [Self.babbage, Self.grace] }
        #expect(!picker.isBusy)
        picker.contacts.load(on: MainActor.shared)
        #expect(picker.isBusy)
        await settle(picker)
        #expect(picker.contacts.value == [Self.babbage, Self.grace])
        #expect(picker.chosen == ["grace"])
    }

    @Test func `the chosen contacts have the order of the list, and unknown contacts are ignored`() async {
        let picker = makePicker { [Self.babbage, Self.grace] }
        await load(picker)
        picker.choose(["grace", "nobody", "babbage"])
        #expect(board.choices == [[Self.babbage, Self.grace]])
    }

    @Test func `an empty choice removes all recipients`() async {
        let picker = makePicker(chosen: ["grace"]) { [Self.babbage, Self.grace] }
        await load(picker)
        picker.choose([])
        #expect(board.choices.map(\.count) == [0])
        #expect(board.cancellations == 0)
    }

    @Test func `a cancelled picker chooses nothing, even while the contacts load`() {
        let picker = makePicker { [Self.babbage, Self.grace] }
        picker.contacts.load(on: MainActor.shared)
        picker.cancel()
        #expect(board.choices.isEmpty)
        #expect(board.cancellations == 1)
    }

    @Test func `contacts that failed to load can be loaded again`() async {
        var isBroken = true
        let picker = makePicker {
            if isBroken { throw DisplayError("The address book is lost.") }
            return [Self.grace]
        }
        await load(picker)
        #expect(picker.contacts.state.problem == "The address book is lost.")
        isBroken = false
        picker.retry()
        await settle(picker)
        #expect(picker.contacts.value == [Self.grace])
    }
}
