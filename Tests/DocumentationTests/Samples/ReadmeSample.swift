// The first sample of README.md, with its test.

import Backplane
import Testing

enum Login: BoardContract { typealias Output = String }
enum Greeting: BoardContract { typealias Input = String }
extension BoardID<Login> { static var login: Self { "login" } }
extension BoardID<Greeting> { static var greeting: Self { "greeting" } }

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
    motherboard.register(.login) { LoginBoard(slot: $0) }
    motherboard.register(.greeting) { GreetingBoard(slot: $0, say: say) }
    motherboard.registerFlowSteps(.login ->>> .greeting)  // the types are checked at compile time
    motherboard.activate(.login)
}

@MainActor @Test func `a user who logs in is greeted`() {
    var said: [String] = []
    greet { said.append($0) }
    #expect(said == ["Hello, Ada!"])
}
