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
        let test = TestMotherboard(.relaxed)
        let motherboard = test.motherboard
        var reader: String?
        let signIn = test.stub(.signIn)
        test.stub(.loanList)
        motherboard.register(.myLoans) { slot in MyLoansBoard(slot: slot) { reader } }
        motherboard.gate(.myLoans, by: .signIn) { _ in .open }
        motherboard.registerFlowSteps(.myLoans ->>> .loanList)
        motherboard.registerLink("loans", to: .myLoans)

        #expect(motherboard.open("/loans") == .waiting)
        motherboard.registerFlow(from: .signIn) { _, _ in reader = "ada" }
        signIn.complete(sending: .signedIn)
        test.expect(.event(.gateOpened, .myLoans), .output(.myLoans, "ada"), .activated(.loanList, with: "ada"))
    }

    @Test func `a board without an actor passes its owner to its loader`() async {
        let motherboard = Motherboard()
        let books = LoadStub<String, String>()
        var board: LoanBoard?
        motherboard.register(.loan) { slot in
            let made = LoanBoard(slot: slot, load: books.load)
            board = made
            return made
        }
        motherboard.activate(.loan, with: "walden")
        await books.requests(atLeast: 1)
        books.succeed("walden", with: "Walden")
        await board?.loan.settled()
        #expect(board?.loan.value == "Walden")
        motherboard.send(.refresh, to: .loan)
        await books.requests(atLeast: 2)
        books.succeed("walden", with: "Walden, or Life in the Woods")
        await board?.loan.settled()
        #expect(board?.loan.value == "Walden, or Life in the Woods")
    }
}

extension BoardID<LoansSample.MyLoans> { static var myLoans: Self { "myLoans" } }
extension BoardID<LoansSample.LoanList> { static var loanList: Self { "loanList" } }
extension BoardID<LoansSample.Loan> { static var loan: Self { "loan" } }
