import CampusAPI
import CampusModels
import Testing

/// Attacks on the list of sessions, which users read.
@Suite(.timeLimit(.minutes(5)))
struct SessionLabelTests {
    @Test func `the label of a session has only usual characters, and a limited length`() async throws {
        try await withAPI { api in
            let disguise = try await api.signIn(DemoUsers.ada, with: "fox\u{202E}erif")
            let long = try await api.signIn(DemoUsers.ada, with: String(repeating: "x", count: 4000))
            let sessions: [DeviceSession] = try await api.get("/sessions", token: long.accessToken).decoded()
            #expect(sessions.map(\.label) == [String(repeating: "x", count: 40), "fox"])
            #expect(try await api.get("/me", token: disguise.accessToken).status == 200)
        }
    }
}
