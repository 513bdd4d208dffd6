// The samples of Sources/Backplane/Backplane.docc/DrawingFlows.md, with tests.

import Backplane
import BackplaneTesting
import Testing

struct Order: Equatable {
    let address: String
    let payment: String
}

enum Cart: BoardContract {
    enum Output {
        case checkOut(cents: Int)
        case closed
    }

    enum Command { case empty }
}

enum Wishlist: BoardContract { typealias Output = Cart.Output }

enum Address: BoardContract { typealias Output = String }

enum Payment: BoardContract {
    typealias Input = Int
    typealias Output = String
}

enum Receipt: BoardContract { typealias Input = String }

enum Checkout: BoardContract {
    typealias Input = Int
    typealias Output = Order
}

enum ShopAction: BoardFlowAction { case showCart, askForHelp }

@MainActor final class CheckoutBoard: Board {
    let slot: Slot<Checkout>

    init(slot: Slot<Checkout>) {
        self.slot = slot
        inner.registerCombinedFlow(Address.id, Payment.id) { [slot] _, address, payment in
            slot.send(Order(address: address, payment: payment))
            slot.complete()
        }
    }

    func activate(with cents: Int) {
        inner.activate(Address.id)
        inner.activate(Payment.id, with: cents)
    }
}

@MainActor private final class Badge {
    var text = ""
}

@MainActor struct FlowsSample {
    let motherboard = Motherboard.onMain()
    private let cart: TestBoard<Cart>
    private let wishlist: TestBoard<Wishlist>
    private let address: TestBoard<Address>
    private let payment: TestBoard<Payment>
    private let receipt: TestBoard<Receipt>

    init() {
        cart = TestBoard(Cart.id, on: motherboard)
        wishlist = TestBoard(Wishlist.id, on: motherboard)
        address = TestBoard(Address.id, on: motherboard)
        payment = TestBoard(Payment.id, on: motherboard) { cents, slot in slot.send("paid \(cents)") }
        receipt = TestBoard(Receipt.id, on: motherboard)
    }

    @Test func `a handler receives the output and its motherboard`() {
        motherboard.registerFlow(from: Cart.id) { output, motherboard in
            switch output {
            case .checkOut(let cents): motherboard.activate(Payment.id, with: cents)
            case .closed: motherboard.complete(Cart.id)
            }
        }
        let activation = motherboard.activate(Cart.id)
        cart.send(.checkOut(cents: 1_200))
        #expect(payment.inputs == [1_200])
        cart.send(.closed)
        #expect(activation.state == .completed)
    }

    @Test func `a flow with a weak target ends with the target`() {
        var badge: Badge? = Badge()
        if let badge {
            motherboard.registerFlow(from: Cart.id, weak: badge) { badge, output in
                if case .checkOut(let cents) = output { badge.text = "\(cents)" }
            }
        }
        motherboard.activate(Cart.id)
        cart.send(.checkOut(cents: 5))
        #expect(badge?.text == "5")
        weak let remaining = badge
        badge = nil
        #expect(remaining == nil)
        cart.send(.checkOut(cents: 6))
    }

    @Test func `one handler can serve several boards`() {
        let checkOut = { (output: Cart.Output, motherboard: Motherboard) in
            if case .checkOut(let cents) = output { motherboard.activate(Payment.id, with: cents) }
        }
        motherboard.registerFlow(from: Cart.id, handler: checkOut)
        motherboard.registerFlow(from: Wishlist.id, handler: checkOut)
        motherboard.activate(Cart.id)
        motherboard.activate(Wishlist.id)
        wishlist.send(.checkOut(cents: 2))
        cart.send(.checkOut(cents: 1))
        #expect(payment.inputs == [2, 1])
    }

    @Test func `a chain activates each board with the output of the previous board`() {
        motherboard.registerFlow(from: Cart.id, to: Payment.id) { output in
            if case .checkOut(let cents) = output { cents } else { nil }
        }
        motherboard.registerFlowSteps(Payment.id ->>> Receipt.id)
        motherboard.activate(Cart.id)
        cart.send(.closed)
        cart.send(.checkOut(cents: 30))
        #expect(receipt.inputs == ["paid 30"])
    }

    @Test func `a combined flow waits for the outputs of all its boards`() {
        var orders: [Order] = []
        func place(_ order: Order) { orders.append(order) }
        motherboard.registerCombinedFlow(Address.id, Payment.id) { motherboard, address, payment in
            place(Order(address: address, payment: payment))
        }
        motherboard.activate(Address.id)
        address.send("Hanoi")
        #expect(orders.isEmpty)
        motherboard.activate(Payment.id, with: 7)
        #expect(orders == [Order(address: "Hanoi", payment: "paid 7")])
        address.send("Hue")
        #expect(orders.count == 1)
    }

    @Test func `with keepingLatest, a combined flow discards only the output of a completed board`() {
        let badge = Badge()
        motherboard.registerCombinedFlow(Address.id, Payment.id, keepingLatest: true, weak: badge) { badge, to, by in
            badge.text = "\(to), \(by)"
        }
        motherboard.activate(Address.id)
        address.send("Hanoi")
        motherboard.activate(Payment.id, with: 1)
        motherboard.complete(Payment.id)
        address.send("Hue")
        #expect(badge.text == "Hanoi, paid 1")
        motherboard.activate(Payment.id, with: 2)
        #expect(badge.text == "Hue, paid 2")
    }

    @Test func `a completion flow can receive the ended activation`() {
        let express = motherboard.activate(Payment.id, with: 1)
        motherboard.registerCompletionFlow(Payment.id) { completion, activation, motherboard in
            if activation == express, completion.isCancelled { motherboard.activate(Cart.id) }
        }
        express.complete(.cancelled)
        #expect(cart.inputs.count == 1)
        motherboard.activate(Payment.id, with: 2).complete(.cancelled)
        #expect(cart.inputs.count == 1)
    }

    @Test func `a completion flow receives the completion of a board`() {
        var failures: [any Error] = []
        func report(_ error: any Error) { failures.append(error) }
        motherboard.registerCompletionFlow(Payment.id) { completion, motherboard in
            switch completion {
            case .done: motherboard.complete(Cart.id)
            case .cancelled: motherboard.activate(Cart.id)
            case .failed(let error): report(error)
            }
        }
        motherboard.activate(Payment.id, with: 1).complete(.cancelled)
        #expect(cart.inputs.count == 1)
        motherboard.activate(Payment.id, with: 1).complete(.failed(CancellationError()))
        #expect(failures.count == 1)
        motherboard.activate(Payment.id, with: 1).complete()
        #expect(cart.slot == nil)
    }

    @Test func `an action bubbles up until a motherboard handles the action`() {
        var helped = 0
        func openHelp() { helped += 1 }
        motherboard.registerGeneralFlow { (action: ShopAction, motherboard) in
            switch action {
            case .showCart: motherboard.activate(Cart.id)
            case .askForHelp: openHelp()
            }
        }
        motherboard.register { slot in CheckoutBoard(slot: slot) }
        motherboard.activate(Checkout.id, with: 1)
        guard let inside = payment.slot else { return }

        inside.sendAction(ShopAction.showCart)
        #expect(cart.inputs.count == 1)

        // The payment board is on the motherboard inside the checkout board.
        inside.sendAction(ShopAction.askForHelp)
        #expect(helped == 1)
    }

    @Test func `a bubbling flow passes an action to the next handler`() {
        var asked: [String] = []
        func openHelp() { asked.append("help") }
        motherboard.registerBubblingFlow { (action: ShopAction, _) in
            guard case .askForHelp = action else { return false }
            openHelp()
            return true
        }
        motherboard.registerGeneralFlow { (action: ShopAction, _) in asked.append("anything else") }
        motherboard.sendAction(ShopAction.askForHelp)
        motherboard.sendAction(ShopAction.showCart)
        #expect(asked == ["help", "anything else"])
    }

    @Test func `a board with a nested flow sends one output and is released`() {
        weak var board: CheckoutBoard?
        motherboard.register { slot in
            let made = CheckoutBoard(slot: slot)
            board = made
            return made
        }
        var orders: [Order] = []
        motherboard.registerFlow(from: Checkout.id) { order, _ in orders.append(order) }
        let activation = motherboard.activate(Checkout.id, with: 9)
        #expect(board != nil)
        address.send("Hanoi")
        #expect(orders == [Order(address: "Hanoi", payment: "paid 9")])
        #expect(activation.state == .completed)
        #expect(address.slot == nil)
        #expect(board == nil)
    }

    @Test func `a command reaches live boards and never creates a board`() {
        #expect(motherboard.send(.empty, to: Cart.id) == .notLive)
        motherboard.activate(Cart.id)
        #expect(motherboard.send(.empty, to: Cart.id) == .delivered(1))
        #expect(cart.commands.count == 1)
    }

    @Test func `outputs can be read as a sequence`() async throws {
        var seen: [String] = []
        func show(_ receipt: String) { seen.append(receipt) }
        motherboard.registerCompletionFlow(Payment.id) { _, _ in seen.append("completed") }
        motherboard.registerFlow(from: Payment.id) { _, motherboard in motherboard.complete(Payment.id) }
        for try await receipt in motherboard.outputs(of: Payment.id, with: 1_200) {
            show(receipt)
        }
        #expect(seen == ["completed", "paid 1200"])
    }

    @Test func `an output waits for its turn`() {
        var journal: [String] = []
        motherboard.registerFlow(from: Cart.id) { _, motherboard in
            journal.append("the cart has sent")
            motherboard.activate(Payment.id, with: 1)  // payment sends during its activation
            journal.append("payment is active")
        }
        motherboard.registerFlow(from: Payment.id) { _, _ in journal.append("payment has sent") }
        motherboard.registerCompletionFlow(Cart.id) { _, _ in journal.append("the cart has ended") }

        motherboard.activate(Cart.id)
        cart.send(.checkOut(cents: 1))
        cart.slot?.complete()

        #expect(journal == ["the cart has sent", "payment is active", "payment has sent", "the cart has ended"])
    }

    @Test func `a flow is removed by its registration`() {
        let flow = motherboard.registerFlowSteps(Payment.id ->>> Receipt.id)
        motherboard.activate(Payment.id, with: 1)
        motherboard.remove(flow)
        motherboard.activate(Payment.id, with: 2)
        #expect(receipt.inputs == ["paid 1"])
    }

    @Test func `an output without a flow is an event`() {
        var log: [String] = []
        let observer = motherboard.observe { event in
            if event.kind == .unhandledOutput { log.append(event.message) }
        }
        motherboard.activate(Payment.id, with: 1)
        #expect(log == ["Nothing handled the output; register a flow from 'payment'."])
        motherboard.remove(observer)
        motherboard.activate(Payment.id, with: 1)
        #expect(log.count == 1)
    }
}
