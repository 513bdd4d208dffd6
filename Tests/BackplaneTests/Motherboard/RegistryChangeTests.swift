import TestSupport
import Testing

@testable import Backplane

/// Changes of registrations are known by their depth.
@MainActor @Suite struct RegistryChangeTests {
    private let scheduler = Motherboard.onMain().scheduler

    private func depthsChanged(since version: UInt32) -> [Int] {
        (0..<4).filter { scheduler.hasRegistryChanged(since: version, atDepth: $0) }
    }

    @Test(.rule("B83")) func `a change counts at its own depth and below`() {
        let first = scheduler.registryVersion
        scheduler.registryChanged(atDepth: 2)
        let second = scheduler.registryVersion
        #expect(depthsChanged(since: first) == [2, 3])
        #expect(depthsChanged(since: second) == [])
        scheduler.registryChanged(atDepth: 3)
        #expect(depthsChanged(since: first) == [2, 3])
        #expect(depthsChanged(since: second) == [3])
        scheduler.registryChanged(atDepth: 0)
        #expect(depthsChanged(since: second) == [0, 1, 2, 3])
        #expect(depthsChanged(since: scheduler.registryVersion) == [])
    }

    @Test(.rule("B83")) func `the changes at all depths count as if they were in one list`() {
        var all: [(version: UInt32, depth: Int)] = []
        for number in 0..<500 {
            let depth = number * number % 11 % 4
            scheduler.registryChanged(atDepth: depth)
            all.append((scheduler.registryVersion, depth))
            let version = all[number - number % 7].version
            let expected = (0..<4).filter { depth in all.contains { $0.version > version && $0.depth <= depth } }
            #expect(depthsChanged(since: version) == expected)
        }
    }

    @Test(.rule("B83"), arguments: 0...3)
    func `a live board notices a change on each motherboard around it`(depth: Int) {
        var levels = [Motherboard.onMain()]
        levels[0].probe(.form)
        levels[0].probe(.login)
        levels[0].probe(.second) { board, _ in levels.append(board.inner) }
        for level in 0..<3 { levels[level].activate(.second, with: 0) }
        let form = levels[3].activate(.form)
        #expect(form.state == .active)
        levels[depth].gate(.form, by: .login) { $0 ? .open : .closed }
        #expect(levels[3].activate(.form).state == .waiting)
    }
}
