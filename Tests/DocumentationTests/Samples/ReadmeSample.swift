// The first sample of README.md, with its test.

import Backplane
import Testing

enum Login: BoardContract { typealias Output = String }
enum Greeting: BoardContract { typealias Input = String }

struct LoginBoard: Board {
    let slot: Slot<Login>
    let ask: () -> String
    func activate(with input: Void) { send(ask()) }
}

struct GreetingBoard: Board {
    let slot: Slot<Greeting>
    let show: (String) -> Void
    func activate(with name: String) { show("Hello, \(name)!") }
}

@MainActor func greet(ask: @escaping () -> String, show: @escaping (String) -> Void) {
    let motherboard = Motherboard()
    motherboard.register { LoginBoard(slot: $0, ask: ask) }
    motherboard.register { GreetingBoard(slot: $0, show: show) }
    motherboard.registerFlowSteps(Login.id ->>> Greeting.id)  // the types are checked at compile time
    motherboard.activate(Login.id)
}

@MainActor @Test func `a user who signs in is greeted`() {
    var lines: [String] = []
    greet(ask: { "Ada" }, show: { lines.append($0) })
    #expect(lines == ["Hello, Ada!"])
}
