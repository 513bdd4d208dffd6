import BackplaneConcurrency
import Testing

private actor Owner {
    func check(_ check: OwnerCheck) {
        check.preconditionIsolated()
    }
}

struct OwnerCheckTests {
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
}
