import BackplaneFeatures
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

@testable import Club

@Suite(.timeLimit(.minutes(1))) final class OutboxTests {
    private let server = NetworkStub.club()
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func `a seat that was taken offline is sent by the next run`() async throws {
        server.respond(to: .put, "meetings/1/seat", with: .failure(URLError(.notConnectedToInternet)))
        try await takeSeatOffline()

        let answer = AsyncLatch()
        server.respond(to: .put, "meetings/1/seat", with: .json(#"{"id":"1","guests":1}"#), after: answer)
        let seat = try await ClubRun(over: server, folder: folder).openSeat()  // without a sign-in
        #expect(seat.state.value?.guests == 1)
        answer.open()
        await waitUntil { !seat.isPending }
        #expect(seat.state.value?.guests == 1)
    }

    private func takeSeatOffline() async throws {
        let seat = try await ClubRun(over: server, folder: folder).openSeat()
        seat.take(guests: 1)
        await waitUntil { seat.isSaved }
        #expect(seat.isPending)
    }

    @Test func `a refusal is still there after a restart`() async throws {
        server.respond(
            to: .put,
            "meetings/1/seat",
            with: .json(#"{"detail":"Two guests at most."}"#, status: .unprocessableContent)
        )
        let first = try await ClubRun(over: server, folder: folder).openSeat()
        first.take(guests: 3)
        await waitUntil { first.refusal != nil }

        let second = try await ClubRun(over: server, folder: folder).openSeat()
        await waitUntil { second.refusal == "Two guests at most." }
    }
}
