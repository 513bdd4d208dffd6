import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import ShapesTestTools
import SwiftUI
import Testing

/// A window whose transitions and reports take their time.
@MainActor final class SlowWindow {
    let navigator: Navigator<String>
    let host: ShapeHost
    private let clock = ManualClock()

    init(delay: Duration) {
        let navigator = Navigator<String>.onMain(clock: clock)
        self.navigator = navigator
        let late = { delay }
        host = ShapeHost(delay: late) {
            NavigatorView(navigator) { screen in
                // A screen that presents others as soon as it appears.
                Text(screen).onAppear {
                    if screen == "greeting" { for other in ["a", "b"] { navigator.present(other) } }
                }
            } tab: { screen in
                Text("tab \(screen)")
            }
        }
    }

    func order(_ order: (Navigator<String>) -> Void) async {
        order(navigator)
        host.update()
        await pass(.zero)
    }

    func pass(_ time: Duration) async {
        host.advance(by: time)
        clock.advance(by: time)
        for _ in 0..<20 { await Task.yield() }
        host.update()
    }

    /// Lets all transitions and reports come to their end.
    func rest() async {
        for _ in 0..<20 { await pass(.seconds(1)) }
        #expect(host.problems.isEmpty)
    }
}
