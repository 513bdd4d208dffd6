import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import BackplaneStorage
import Foundation

/// The assembly: the only code that knows every feature and the server.
final class Club {
    let session: UserSession<Member>
    private let service: NonAuthenticatedNetworkController
    private let outbox: Outbox?

    /// Creates the app, which keeps its files in `folder`, or nothing without one.
    init(over transport: any NetworkTransport, folder: URL? = nil) throws {
        if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        guard let server = URL(string: "https://club.example") else { throw URLError(.badURL) }
        service = try NonAuthenticatedNetworkController(baseURL: server, transport: transport)
        let vault: any TokenVault =
            if let folder { FileTokenVault(file: folder.appending(path: "tokens.json")) } else { MemoryTokenVault() }
        session = UserSession(over: service, vault: vault, user: .member, refresh: { .renewed(with: $0) })
        outbox = try folder.map { try Outbox(file: $0.appending(path: "outbox.sqlite"), kinds: [.seats]) }
    }

    func makeWindow(hasTransitions: Bool = true) -> ClubWindow {
        let (service, session) = (service, session)
        let window = ClubWindow(hasTransitions: hasTransitions) { navigator in
            [
                MeetingListModule(navigator: navigator, load: { try await service.request(.meetings) }),
                MeetingModule(navigator: navigator, load: { try await service.request(.meeting($0)) }),
                MembersModule(
                    navigator: navigator,
                    signIn: { name, password in
                        let tokens = try await service.request(.signIn(name: name, password: password))
                        return try await session.signIn(with: tokens)
                    },
                    feature: { account in self.makeSeats(for: account, on: navigator) }
                ),
                ClubFlows(),
            ]
        }
        window.motherboard.activate(MeetingList.id)
        return window
    }

    /// Signs in the member of the last run.
    func resume(in window: ClubWindow) async {
        guard !window.motherboard.isLive(Members.id), let account = try? await session.resume() else { return }
        window.motherboard.activate(Members.id, with: account)
    }

    private func makeSeats(for account: UserAccount<Member>, on navigator: Navigator<ClubScreen>) -> SeatModule {
        SeatModule(
            account: account,
            seats: RecordStore(sending: outbox.map { .saved(in: $0, for: account) } ?? .inMemory(for: account)),
            navigator: navigator,
            signOut: session.signOut
        )
    }
}
