import Backplane
import BackplaneTesting
import Testing

@MainActor struct ReplayCallers {
    @Test func `a test supplies the value that a log could not write`() throws {
        let (ada, recorded) = (User.ID(rawValue: "ada"), TestMotherboard(exhaustive: false))
        recorded.stub(.profile)
        var lines = ""
        recorded.motherboard.recordEvents { lines += "\($0)\n" }
        recorded.motherboard.activate(.profile, with: Profile.Input(user: ada))

        let motherboard = Motherboard()
        motherboard.registerFlow(from: .profile) { _, _ in }
        let replay = motherboard.replay(
            try EventLog(jsonLines: lines),
            supplying: TypedBoardEvent<Profile>.activated(Profile.Input(user: ada))
        )
        #expect(replay.isFaithful, "\(replay)")
    }
}
