import Backplane
import BackplaneNavigation
import BackplaneTesting
import Testing

@testable import Club

@Test func `a link opens a meeting, which ends when the user goes back`() async {
    let window = ClubWindow.withOneMeeting()
    #expect(window.motherboard.open("club://meeting/2") == .opened)
    await waitUntil { window.navigator.top?.screen.page?.lines == ["Walden, Tuesday"] }
    window.navigator.top?.dismiss()  // the user goes back
    #expect(window.navigator.places.count == 1)
}
