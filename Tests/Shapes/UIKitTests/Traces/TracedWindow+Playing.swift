import BackplaneNavigation
import Testing
import UIKit

extension TracedWindow {
    /// Gives the first orders, and shows the window.
    func start(_ orders: (Navigator<Int>) -> Void = { $0.setRoot(1) }) async {
        orders(navigator)
        window.makeKeyAndVisible()
        await rest()
    }

    /// Lets all transitions come to their end, after which the screen is as the navigator says.
    func rest() async {
        for _ in 0..<30 {
            await turns()
            transitions.advanceToNextEnd()
        }
        await turns()
        #expect(shown == asked)
        #expect(transitions.problems.isEmpty)
    }

    func turns(_ count: Int = 20) async {
        for _ in 0..<count { await Task.yield() }
    }
}
