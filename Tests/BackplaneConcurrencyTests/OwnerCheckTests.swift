import BackplaneConcurrency
import Dispatch
import Testing

private actor Owner {
    func check(_ check: OwnerCheck, _ message: String = "Off the actor.") {
        check.preconditionIsolated(message)
    }
}

@Suite(.serialized) struct OwnerCheckTests {
    @Test func `it passes on the actor`() async {
        let owner = Owner()
        await owner.check(OwnerCheck(owner))
        await MainActor.run { OwnerCheck(MainActor.shared).preconditionIsolated() }
    }

    @Test func `it keeps the actor not alive`() {
        var owner: Owner? = Owner()
        weak var gone: Owner?
        gone = owner
        let check = owner.map { OwnerCheck($0) }
        owner = nil
        #expect(gone == nil)
        withExtendedLifetime(check) {}
    }

    @Test func `it traps off the actor`() async {
        await #expect(processExitsWith: .failure) {
            let owner = Owner()
            OwnerCheck(owner).preconditionIsolated()
        }
    }

    @Test func `it traps on another actor`() async {
        await #expect(processExitsWith: .failure) {
            let owner = Owner()
            await Owner().check(OwnerCheck(owner))
        }
    }

    #if os(Linux)
        @Test func `off an actor it says what is wrong`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                OwnerCheck(Owner()).preconditionIsolated("The sentence is here.")
            }
            #expect(result?.says("The sentence is here.") == true)
        }

        @Test func `on another actor it says what is wrong`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await Owner().check(OwnerCheck(MainActor.shared), "The sentence is here.")
            }
            #expect(result?.says("The sentence is here.") == true)
        }

        @Test func `work started off its actor says what is wrong`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = startTask(on: Owner()) {}
            }
            #expect(result?.says("was started off that actor") == true)
        }
    #endif

    @Test func `it passes in a block on the main queue, which is on the main actor without a task`() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                OwnerCheck(MainActor.shared).preconditionIsolated()
                continuation.resume()
            }
        }
    }
}

extension ExitTest.Result {
    fileprivate func says(_ sentence: String) -> Bool {
        String(decoding: standardErrorContent, as: UTF8.self).contains(sentence)
    }
}
