// The first sample of README.md, with its test.

import Backplane
import Testing

enum Login: BoardContract { typealias Output = String }
enum Greeting: BoardContract { typealias Input = String }

struct LoginBoard: Board {
    let slot: Slot<Login>
    func activate(with input: Void) { send("Ada") }
}

struct GreetingBoard: Board {
    let slot: Slot<Greeting>
    let say: (String) -> Void
    func activate(with name: String) { say("Hello, \(name)!") }
}

@MainActor func greet(say: @escaping (String) -> Void) {
    let motherboard = Motherboard()
    motherboard.register { LoginBoard(slot: $0) }
    motherboard.register { GreetingBoard(slot: $0, say: say) }
    motherboard.registerFlowSteps(Login.id ->>> Greeting.id)  // the types are checked at compile time
    motherboard.activate(Login.id)
}

@MainActor @Test func `a user who signs in is greeted`() {
    var said: [String] = []
    greet { said.append($0) }
    #expect(said == ["Hello, Ada!"])
}
