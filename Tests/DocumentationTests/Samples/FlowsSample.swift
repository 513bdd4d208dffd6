// The samples of Sources/Backplane/Backplane.docc/DrawingFlows.md, with tests.

import Backplane
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

/// A stand-in for a board, which the test controls.
@MainActor private final class Puppet<Contract: BoardContract> {
    @MainActor private struct Strings: Board {
        let slot: Slot<Contract>
        let puppet: Puppet

        func activate(with input: Contract.Input) {
            puppet.slot = slot
            puppet.inputs.append(input)
            puppet.onActivate(slot, input)
        }

        func receive(_ command: Contract.Command) { puppet.commands.append(command) }
    }

    private(set) var slot: Slot<Contract>?
    private(set) var inputs: [Contract.Input] = []
    private(set) var commands: [Contract.Command] = []
    private let onActivate: (Slot<Contract>, Contract.Input) -> Void

    init(
        _ id: BoardID<Contract>,
        on motherboard: Motherboard,
        onActivate: @escaping (Slot<Contract>, Contract.Input) -> Void = { _, _ in }
    ) {
        self.onActivate = onActivate
        motherboard.register(id) { slot in Strings(slot: slot, puppet: self) }
    }

    func send(_ output: Contract.Output) { slot?.send(output) }
}

@MainActor private final class Badge {
    var text = ""
}

@MainActor struct FlowsSample {
    let motherboard = Motherboard.onMain()
    private let cart: Puppet<Cart>
    private let wishlist: Puppet<Wishlist>
    private let address: Puppet<Address>
    private let payment: Puppet<Payment>
    private let receipt: Puppet<Receipt>

    init() {
        cart = Puppet(.cart, on: motherboard)
        wishlist = Puppet(.wishlist, on: motherboard)
        address = Puppet(.address, on: motherboard)
        payment = Puppet(.payment, on: motherboard) { slot, cents in slot.send("paid \(cents)") }
        receipt = Puppet(.receipt, on: motherboard)
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

    @Test func `a captured motherboard leaks, and a motherboard passed to the handler does not`() {
        weak var capturing: Motherboard?
        weak var given: Motherboard?
        do {
            let motherboard = Motherboard()
            capturing = motherboard
            motherboard.registerFlow(from: .cart) { _, _ in motherboard.complete(.cart) }
        }
        do {
            let motherboard = Motherboard()
            given = motherboard
            motherboard.registerFlow(from: .cart) { _, motherboard in motherboard.complete(.cart) }
        }
        #expect(given == nil)
        #expect(capturing != nil)
        capturing?.complete()  // releases every handler, and so the motherboard itself
        #expect(capturing == nil)
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
        #expect(wishlist.slot?.isLive == false)
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

    @Test(arguments: [CombineStrategy.batch, .latest], [Completion.done, .cancelled])
    func `only a batch flow keeps the output of a done board`(strategy: CombineStrategy, completion: Completion) {
        var count = 0
        motherboard.registerCombinedFlow(.address, .payment, strategy: strategy) { _, _, _ in count += 1 }
        motherboard.activate(.address)
        address.send("Hanoi")
        motherboard.complete(.address, completion)
        motherboard.activate(.payment, with: 7)
        if case .done = completion, strategy == .batch {
            #expect(count == 1)
        } else {
            #expect(count == 0)
        }
    }

    @Test func `with latest, a combined flow runs at each output after all boards have sent`() {
        var seen: [String] = []
        motherboard.registerCombinedFlow(.address, .payment, strategy: .latest) { _, address, payment in
            seen.append("\(address), \(payment)")
        }
        motherboard.activate(.address)
        address.send("Hanoi")
        motherboard.activate(.payment, with: 1)
        address.send("Hue")
        #expect(seen == ["Hanoi, paid 1", "Hue, paid 1"])
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
        #expect(cart.slot?.isLive == false)
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
        #expect(address.slot?.isLive == false)
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

    @Test func `a cycle does not grow the stack, and an exceeded turn budget is an event`() {
        let motherboard = Motherboard(turnBudget: 1_000)
        let address = Puppet(.address, on: motherboard) { slot, _ in slot.send("again") }
        var rounds = 0
        var events: [BoardEvent] = []
        motherboard.observe { if $0.kind == .turnBudgetExceeded { events.append($0) } }
        motherboard.registerFlow(from: .address) { _, motherboard in
            rounds += 1
            if rounds < 10_000 { motherboard.activate(.address) }
        }
        motherboard.activate(.address)
        #expect(address.inputs.count == 10_000)
        #expect(events.count == 1)
        #expect(events.first?.message.contains("address") == true)
    }
}
