// The samples about loans in Gates.md and OnYourOwnActor.md, with tests.

import Backplane
import BackplaneFeatures
import BackplaneTesting
import Testing

@MainActor struct LoansSample {
    enum MyLoans: BoardContract { typealias Output = String }
    enum LoanList: BoardContract { typealias Input = String }
    enum Loan: BoardContract {
        typealias Input = String
        enum Command { case refresh }
    }

    final class MyLoansBoard: Board {
        let slot: Slot<MyLoans>
        let currentReader: () -> String?

        init(slot: Slot<MyLoans>, currentReader: @escaping () -> String?) {
            self.slot = slot
            self.currentReader = currentReader
        }

        func activate(with input: Void) {
            if let reader = currentReader() { complete(sending: reader) } else { complete(.cancelled) }
        }
    }

    final class LoanBoard: Board {
        let slot: Slot<Loan>
        let loan: Loader<String, String>

        init(slot: Slot<Loan>, load: @escaping (String) async throws -> String) {
            self.slot = slot
            loan = Loader(load)
        }

        func activate(with id: String) {
            loan.load(id, on: slot.owner)
        }

        func receive(_ command: Loan.Command) {
            switch command {
            case .refresh: loan.reload()
            }
        }
    }

    @Test func `a board behind a gate reads the state that the gate established`() {
        let test = TestMotherboard(exhaustive: false)
        let motherboard = test.motherboard
        var reader: String?
        let signIn = test.stub(SignIn.id)
        test.stub(LoanList.id)
        motherboard.register { slot in MyLoansBoard(slot: slot) { reader } }
        motherboard.gate(MyLoans.id, by: SignIn.id) { _ in .open }
        motherboard.registerFlowSteps(MyLoans.id ->>> LoanList.id)
        motherboard.registerLink("loans", to: MyLoans.id)

        #expect(motherboard.open("/loans") == .waiting)
        motherboard.registerFlow(from: SignIn.id) { _, _ in reader = "ada" }
        signIn.complete(sending: .signedIn)
        test.expect(.event(.gateOpened, MyLoans.id), .output(MyLoans.id, "ada"), .activated(LoanList.id, with: "ada"))
    }

    @Test func `a board without an actor passes its owner to its loader`() async {
        let motherboard = Motherboard()
        let books = LoadStub<String, String>()
        var board: LoanBoard?
        motherboard.register { slot in
            let made = LoanBoard(slot: slot, load: books.load)
            board = made
            return made
        }
        motherboard.activate(Loan.id, with: "walden")
        await books.requests(atLeast: 1)
        books.succeed("walden", with: "Walden")
        await board?.loan.settled()
        #expect(board?.loan.value == "Walden")
        motherboard.send(.refresh, to: Loan.id)
        await books.requests(atLeast: 2)
        books.succeed("walden", with: "Walden, or Life in the Woods")
        await board?.loan.settled()
        #expect(board?.loan.value == "Walden, or Life in the Woods")
    }
}
