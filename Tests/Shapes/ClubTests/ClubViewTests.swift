import SwiftUI
import Testing

@testable import Club

@Suite(.timeLimit(.minutes(1))) @MainActor struct ClubViewTests {
    /// Draws again until a condition holds.
    private func update(_ host: ShapeHost, until isDone: (ShapeHost) -> Bool) async {
        while !isDone(host), !Task.isCancelled {
            await Task.yield()
            host.update()
        }
    }

    @Test func `the app of the first step shows its meeting`() async {
        let host = ShapeHost(app: MeetingApp())
        await update(host) { $0.texts == ["Walden", "Tuesday", "Take a seat"] }
        #expect(host.problems.isEmpty)
    }

    @Test func `a member signs in, takes a seat with too many guests, and corrects it`() async throws {
        let club = try Club(over: DemoServer())
        let host = ShapeHost { ClubRootView(makeWindow: { club.makeWindow() }, start: club.resume) }
        await update(host) { $0.texts == ["Walden", "Emma"] }
        host.tap("Walden")
        await update(host) { $0.texts.contains("Take a seat") }
        host.tap("Take a seat")
        host.type("ada", into: "Name")
        host.type("pond", into: "Password")
        host.tap("Sign in")
        await update(host) { $0.isEnabled("Yes") == true }
        host.tap("Yes")
        await update(host) { $0.texts.contains("You have no seat.") }
        host.tap("Bring 3 guests")
        #expect(host.texts.contains("You have a seat and 3 for guests."))
        await update(host) { $0.texts.contains("A member may bring two guests.") }
        #expect(host.texts.contains("You have no seat."))
        host.tap("Bring 2 guests")
        await update(host) { $0.texts.contains("You have a seat and 2 for guests.") && $0.texts.count == 6 }
        host.tap("Sign out")
        await update(host) { $0.texts == ["Walden", "Tuesday", "Take a seat"] }
        #expect(host.problems.isEmpty)
    }
}
