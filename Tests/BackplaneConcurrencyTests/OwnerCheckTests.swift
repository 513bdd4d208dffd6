import BackplaneConcurrency
import Dispatch
import Testing

private actor Owner {
    func check(_ check: OwnerCheck, _ message: String = "Off the actor.") {
        check.preconditionIsolated(message)
    }
}

@Suite(.serialized) struct OwnerCheckTests {
    @Test func `an owner check passes on its actor`() async {
        let owner = Owner()
        await owner.check(OwnerCheck(owner))
        await MainActor.run { OwnerCheck(MainActor.shared).preconditionIsolated() }
    }

    @Test func `an owner check does not keep its actor alive`() {
        var owner: Owner? = Owner()
        weak var gone: Owner?
        gone = owner
        let check = owner.map { OwnerCheck($0) }
        owner = nil
        #expect(gone == nil)
        withExtendedLifetime(check) {}
    }

    #if os(macOS) || os(Linux)
        @Test func `an owner check outside every actor traps and prints its message`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                OwnerCheck(Owner()).preconditionIsolated("The sentence is here.")
            }
            #expect(result?.says("The sentence is here.") == true)
        }

        @Test func `an owner check on another actor traps and prints its message`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await Owner().check(OwnerCheck(MainActor.shared), "The sentence is here.")
            }
            #expect(result?.says("The sentence is here.") == true)
        }

        @Test func `a task that is started outside its actor traps without a race, and prints the reason`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = startTask(on: Owner()) {}
            }
            #expect(result?.says("was started off that actor") == true)
        }
    #endif

    @Test func `a main actor check passes in a block on the main queue without a task`() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                OwnerCheck(MainActor.shared).preconditionIsolated()
                continuation.resume()
            }
        }
    }
}

#if os(macOS) || os(Linux)
    extension ExitTest.Result {
        /// Whether the process has printed a sentence; only Linux needs help with that.
        fileprivate func says(_ sentence: String) -> Bool {
            #if os(Linux)
                String(decoding: standardErrorContent, as: UTF8.self).contains(sentence)
            #else
                true
            #endif
        }
    }
#endif
