import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneTesting
import HTTPTypes
import Testing

@testable import Club

@Suite(.timeLimit(.minutes(1))) struct SeatTests {
    private let server = NetworkStub.club()

    @Test func `a refused seat disappears with a reason, and can be corrected`() async throws {
        server.respond(
            to: .put,
            "meetings/1/seat",
            with: .json(#"{"detail":"Two guests at most."}"#, status: .unprocessableContent),
            .json(#"{"id":"1","guests":2}"#)
        )
        let seat = try await ClubRun(over: server).openSeat()
        seat.take(guests: 3)
        #expect(seat.state.value?.guests == 3)  // shown at once

        await waitUntil { seat.refusal != nil }
        #expect(seat.refusal == "Two guests at most.")
        #expect(seat.state.value?.guests == nil)

        seat.take(guests: 2)
        await waitUntil { !seat.isPending }
        #expect(seat.refusal == nil)
        #expect(seat.state.value?.guests == 2)
    }

    @Test func `a sign-out closes the pages of the member`() async throws {
        let run = try await ClubRun(over: server)
        _ = try await run.openSeat()
        try await run.signOut()
        await waitUntil { run.window.navigator.places.count == 1 }
        #expect(run.window.motherboard.open("club://seat/1") == .waiting)
    }
}
