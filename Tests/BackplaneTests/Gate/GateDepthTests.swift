import TestSupport
import Testing

@testable import Backplane

/// Questions inside the boards of other questions cost as much as there are levels.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateDepthTests {
    @Test(.rule("B83"), arguments: [1, 24, 60])
    func `a purpose has one run for each level of gate boards`(levels: Int) {
        var (depths, innermost): ([Int], Activation<GuardedPage>?) = ([], nil)
        func nest(on motherboard: Motherboard, _ level: Int) {
            depths.append([UInt64](motherboard.purpose(nil)).count)
            if level == levels { return }
            motherboard.gate(.form, by: .confirm, with: "\(level)") { $0 ? .open : .closed }
            motherboard.register(.confirm) { slot in
                ProbeBoard(slot: slot) { board, question in
                    #expect(question == "\(level)")
                    nest(on: board.inner, level + 1)
                }
            }
            innermost = motherboard.activate(.form)
        }
        let motherboard = Motherboard.onMain()
        motherboard.probe(.form)
        nest(on: motherboard, 0)
        #expect(depths == Array(0...levels))
        #expect(innermost?.state == .waiting)
        motherboard.complete()
    }
}
