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

extension BoardID<Cart> { static var cart: Self { "cart" } }
extension BoardID<Wishlist> { static var wishlist: Self { "wishlist" } }
extension BoardID<Address> { static var address: Self { "address" } }
extension BoardID<Payment> { static var payment: Self { "payment" } }
extension BoardID<Receipt> { static var receipt: Self { "receipt" } }
extension BoardID<Checkout> { static var checkout: Self { "checkout" } }

enum ShopAction: BoardFlowAction { case showCart, askForHelp }

@MainActor final class CheckoutBoard: Board {
    let slot: Slot<Checkout>

    init(slot: Slot<Checkout>) {
        self.slot = slot
        inner.registerCombinedFlow(.address, .payment) { [slot] _, address, payment in
            slot.send(Order(address: address, payment: payment))
            slot.complete()
        }
    }

    func activate(with cents: Int) {
        inner.activate(.address)
        inner.activate(.payment, with: cents)
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
        cart = TestBoard(.cart, on: motherboard)
        wishlist = TestBoard(.wishlist, on: motherboard)
        address = TestBoard(.address, on: motherboard)
        payment = TestBoard(.payment, on: motherboard) { cents, slot in slot.send("paid \(cents)") }
        receipt = TestBoard(.receipt, on: motherboard)
    }

    @Test func `a handler receives the output and its motherboard`() {
        motherboard.registerFlow(from: .cart) { output, motherboard in
            switch output {
            case .checkOut(let cents): motherboard.activate(.payment, with: cents)
            case .closed: motherboard.complete(.cart)
            }
        }
        let activation = motherboard.activate(.cart)
        cart.send(.checkOut(cents: 1_200))
        #expect(payment.inputs == [1_200])
        cart.send(.closed)
        #expect(activation.state == .completed)
    }

    @Test func `a flow with a weak target ends with the target`() {
        var badge: Badge? = Badge()
        if let badge {
            motherboard.registerFlow(from: .cart, weak: badge) { badge, output in
                if case .checkOut(let cents) = output { badge.text = "\(cents)" }
            }
        }
        motherboard.activate(.cart)
        cart.send(.checkOut(cents: 5))
        #expect(badge?.text == "5")
        weak let remaining = badge
        badge = nil
        #expect(remaining == nil)
        cart.send(.checkOut(cents: 6))
    }

    @Test func `one handler can serve several boards`() {
        motherboard.registerFlow(from: .cart, .wishlist) { output, sender, motherboard in
            if case .checkOut(let cents) = output { motherboard.activate(.payment, with: cents) }
            if sender == .wishlist { motherboard.complete(.wishlist) }
        }
        motherboard.activate(.cart)
        motherboard.activate(.wishlist)
        wishlist.send(.checkOut(cents: 2))
        cart.send(.checkOut(cents: 1))
        #expect(payment.inputs == [2, 1])
        #expect(wishlist.slot == nil)
    }

    @Test func `a chain activates each board with the output of the previous board`() {
        motherboard.registerFlow(from: .cart, to: .payment) { output in
            if case .checkOut(let cents) = output { cents } else { nil }
        }
        motherboard.registerFlowSteps(.payment ->>> .receipt)
        motherboard.activate(.cart)
        cart.send(.closed)
        cart.send(.checkOut(cents: 30))
        #expect(receipt.inputs == ["paid 30"])
    }

    @Test func `a combined flow waits for the outputs of all its boards`() {
        var orders: [Order] = []
        func place(_ order: Order) { orders.append(order) }
        motherboard.registerCombinedFlow(.address, .payment) { motherboard, address, payment in
            place(Order(address: address, payment: payment))
        }
        motherboard.activate(.address)
        address.send("Hanoi")
        #expect(orders.isEmpty)
        motherboard.activate(.payment, with: 7)
        #expect(orders == [Order(address: "Hanoi", payment: "paid 7")])
        address.send("Hue")
        #expect(orders.count == 1)
    }

    @Test func `with latest, a combined flow forgets only the output of a completed board`() {
        let badge = Badge()
        motherboard.registerCombinedFlow(.address, .payment, strategy: .latest, weak: badge) { badge, city, card in
            badge.text = "\(city), \(card)"
        }
        motherboard.activate(.address)
        address.send("Hanoi")
        motherboard.activate(.payment, with: 1)
        motherboard.complete(.payment)
        address.send("Hue")
        #expect(badge.text == "Hanoi, paid 1")
        motherboard.activate(.payment, with: 2)
        #expect(badge.text == "Hue, paid 2")
    }

    @Test func `a completion flow can receive the ended activation`() {
        let express = motherboard.activate(.payment, with: 1)
        motherboard.registerCompletionFlow(.payment) { completion, activation, motherboard in
            if activation == express, completion.isCancelled { motherboard.activate(.cart) }
        }
        express.complete(.cancelled)
        #expect(cart.inputs.count == 1)
        motherboard.activate(.payment, with: 2).complete(.cancelled)
        #expect(cart.inputs.count == 1)
    }

    @Test func `a completion flow receives the completion of a board`() {
        var failures: [any Error] = []
        func report(_ error: any Error) { failures.append(error) }
        motherboard.registerCompletionFlow(.payment) { completion, motherboard in
            switch completion {
            case .done: motherboard.complete(.cart)
            case .cancelled: motherboard.activate(.cart)
            case .failed(let error): report(error)
            }
        }
        motherboard.activate(.payment, with: 1).complete(.cancelled)
        #expect(cart.inputs.count == 1)
        motherboard.activate(.payment, with: 1).complete(.failed(CancellationError()))
        #expect(failures.count == 1)
        motherboard.activate(.payment, with: 1).complete()
        #expect(cart.slot == nil)
    }

    @Test func `an action bubbles up until a motherboard handles the action`() {
        var helped = 0
        func openHelp() { helped += 1 }
        motherboard.registerGeneralFlow { (action: ShopAction, motherboard) in
            switch action {
            case .showCart: motherboard.activate(.cart)
            case .askForHelp: openHelp()
            }
        }
        motherboard.register(.checkout) { slot in CheckoutBoard(slot: slot) }
        motherboard.activate(.checkout, with: 1)
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
        motherboard.registerBubblingFlow { (action: ShopAction, _) -> FlowActionVerdict in
            guard case .askForHelp = action else { return .bubble }
            openHelp()
            return .handled
        }
        motherboard.registerGeneralFlow { (action: ShopAction, _) in asked.append("anything else") }
        motherboard.sendAction(ShopAction.askForHelp)
        motherboard.sendAction(ShopAction.showCart)
        #expect(asked == ["help", "anything else"])
    }

    @Test func `a board with a nested flow sends one output and is released`() {
        weak var board: CheckoutBoard?
        motherboard.register(.checkout) { slot in
            let made = CheckoutBoard(slot: slot)
            board = made
            return made
        }
        var orders: [Order] = []
        motherboard.registerFlow(from: .checkout) { order, _ in orders.append(order) }
        let activation = motherboard.activate(.checkout, with: 9)
        #expect(board != nil)
        address.send("Hanoi")
        #expect(orders == [Order(address: "Hanoi", payment: "paid 9")])
        #expect(activation.state == .completed)
        #expect(address.slot == nil)
        #expect(board == nil)
    }

    @Test func `a command reaches live boards and never creates a board`() {
        #expect(motherboard.send(.empty, to: .cart) == .notLive)
        motherboard.activate(.cart)
        #expect(motherboard.send(.empty, to: .cart) == .delivered(1))
        #expect(cart.commands.count == 1)
    }

    @Test func `outputs can be read as a sequence`() async throws {
        var seen: [String] = []
        func show(_ receipt: String) { seen.append(receipt) }
        motherboard.registerCompletionFlow(.payment) { _, _ in seen.append("completed") }
        motherboard.registerFlow(from: .payment) { _, motherboard in motherboard.complete(.payment) }
        for try await receipt in motherboard.outputs(of: .payment, with: 1_200) {
            show(receipt)
        }
        #expect(seen == ["completed", "paid 1200"])
    }

    @Test func `an output waits for its turn`() {
        var journal: [String] = []
        motherboard.registerFlow(from: .cart) { _, motherboard in
            journal.append("the cart has sent")
            motherboard.activate(.payment, with: 1)  // payment sends during its activation
            journal.append("payment is active")
        }
        motherboard.registerFlow(from: .payment) { _, _ in journal.append("payment has sent") }
        motherboard.registerCompletionFlow(.cart) { _, _ in journal.append("the cart has ended") }

        motherboard.activate(.cart)
        cart.send(.checkOut(cents: 1))
        cart.slot?.complete()

        #expect(journal == ["the cart has sent", "payment is active", "payment has sent", "the cart has ended"])
    }

    @Test func `a flow is removed by its flow`() {
        let flow = motherboard.registerFlowSteps(.payment ->>> .receipt)
        motherboard.activate(.payment, with: 1)
        motherboard.remove(flow)
        motherboard.activate(.payment, with: 2)
        #expect(receipt.inputs == ["paid 1"])
    }

    @Test func `an output without a flow is an event`() {
        var log: [String] = []
        let observer = motherboard.observe { event in
            if event.kind == .unhandledOutput { log.append(event.message) }
        }
        motherboard.activate(.payment, with: 1)
        #expect(log == ["Nothing handled the output; register a flow from 'payment'."])
        motherboard.remove(observer)
        motherboard.activate(.payment, with: 1)
        #expect(log.count == 1)
    }
}
