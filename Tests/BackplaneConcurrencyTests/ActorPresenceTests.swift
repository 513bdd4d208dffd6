import BackplaneConcurrency
import Testing

private func isMadeWithOwner(isolation: isolated any Actor = #isolation) -> Bool {
    isPresent(isolation)
}

private actor Early {
    let before: Bool

    init() async {
        before = isMadeWithOwner()
    }

    func after() -> Bool {
        isMadeWithOwner()
    }
}

struct ActorPresenceTests {
    @Test func `an actor is not present before all its properties are set`() async {
        let early = await Early()
        #expect(!early.before)
        #expect(await early.after())
        #expect(isPresent(MainActor.shared))
    }
}
