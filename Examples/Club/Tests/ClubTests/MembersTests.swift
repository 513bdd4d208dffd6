import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import Testing

@testable import Club

@Suite(.timeLimit(.minutes(1))) struct MembersTests {
    private let test = TestMotherboard.onMain(exhaustive: false)
    private let navigator = Navigator<ClubScreen>.onMain(hasTransitions: false)

    init() {
        let navigator = navigator
        let server = NetworkStub()
        server.respond(to: .get, "meetings/1/seat", with: .json(#"{"id":"1"}"#))
        test.motherboard.allowLinks(schemes: ["club"])
        test.motherboard.install(
            MembersModule(
                navigator: navigator,
                signIn: { name, _ in .stub(Member(id: name, name: name), on: server) },
                feature: { account in
                    SeatModule(account: account, seats: RecordStore(), navigator: navigator, signOut: {})
                }
            )
        )
    }

    private func signIn() async {
        guard case .signIn(let model)? = navigator.top?.screen else { return }
        model.name = "Ada"
        model.signIn()
        await waitUntil { navigator.topLayer.dialog != nil }
    }

    @Test func `a link to a seat opens after the sign-in and the question`() async {
        let link = test.motherboard.open("club://seat/1")
        #expect(link == .waiting)
        await signIn()
        navigator.topLayer.dialog?.choose(0)  // "Yes"
        await test.receive(.activated(SeatPage.id, with: "1"))
        #expect(link == .opened)
    }

    @Test func `a user who does not accept the rules gets no seat`() async {
        let seat = test.motherboard.activate(SeatPage.id, with: "1")
        await signIn()
        navigator.topLayer.dialog?.choose(1)  // "No"
        #expect(await seat.settled() == .denied(Denial(of: SeatPage.id, by: HouseRules.id, .closed)))
    }

    @Test func `without a sign-in, no seat is shown`() async {
        let seat = test.motherboard.activate(SeatPage.id, with: "1")
        navigator.top?.dismiss()
        guard case .denied(let denial) = await seat.settled() else {
            Issue.record("The seat is not denied.")
            return
        }
        #expect(denial.gate == Members.id)
    }
}
