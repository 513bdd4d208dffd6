import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes

@testable import Club

/// A window of the app, as a process opens it.
final class ClubRun {
    let window: ClubWindow
    private let club: Club

    init(over server: NetworkStub, folder: URL? = nil) async throws {
        club = try Club(over: server, folder: folder)
        window = club.makeWindow(hasTransitions: false)
        await club.resume(in: window)
    }

    /// Opens the seat at meeting 1 as a user does: signs in if that is asked, and answers "Yes".
    func openSeat() async throws -> SeatModel {
        window.motherboard.open("club://seat/1")
        if case .signIn(let model)? = window.navigator.top?.screen { model.signIn() }
        await waitUntil { window.navigator.topLayer.dialog != nil }
        window.navigator.topLayer.dialog?.choose(0)
        await waitUntil { seat != nil }
        guard let seat else { throw CancellationError() }
        await waitUntil { seat.state.value != nil }
        return seat
    }

    func signOut() async throws { try await club.session.signOut() }

    private var seat: SeatModel? {
        if case .seat(let model)? = window.navigator.top?.screen { model } else { nil }
    }
}

extension NetworkStub {
    /// Makes a server with one meeting, in which Ada has no seat.
    static func club() -> NetworkStub {
        let server = NetworkStub()
        server.respond(to: .post, "tokens", with: .json(#"{"access_token":"a","refresh_token":"r"}"#))
        server.respond(to: .get, "me", with: .json(#"{"id":"ada","name":"Ada"}"#))
        server.respond(to: .get, "meetings", with: .json(#"[{"id":"1","book":"Walden","day":"Tuesday"}]"#))
        server.respond(to: .get, "meetings/1/seat", with: .json(#"{"id":"1"}"#))
        return server
    }
}
