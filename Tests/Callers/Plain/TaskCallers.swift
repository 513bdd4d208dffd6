import Backplane
import Testing

private struct Question: Board {
    let slot: Slot<Profile>

    func activate(with input: Profile.Input) {
        task { complete(sending: input.tab) }
    }
}

private struct Watch: Board {
    let slot: Slot<Login>

    func activate(with input: Void) {
        slot.task {
            slot.send(User.ID(rawValue: "ada"))
            slot.send(User.ID(rawValue: "grace"))
            slot.complete()
        }
    }
}

@MainActor
struct TaskCallers {
    private let motherboard = Motherboard.onMain()

    @Test func `a closure can be a board`() async throws {
        var uploads = 0
        motherboard.registerTask(.search) { text, _ in text.count }
        motherboard.registerTask(.search, .latest, replacing: true) { text, slot in
            slot.send(0)
            return text.count
        }
        motherboard.registerTask(.upload, .queue) { size, _ in uploads += size }
        #expect(try await motherboard.result(of: .search, with: "engines") == 0)
        motherboard.activate(.upload, with: 3)

        motherboard.registerTask(.upload, .concurrent(limit: 2), replacing: true) { size, _ in uploads += size }
        let upload = motherboard.outputs(of: .upload, with: 4)
        for try await _ in upload {}
        #expect(upload.activation.completion?.isDone == true)
        #expect(uploads == 7)
    }

    @Test func `the result of a board can be awaited`() async throws {
        motherboard.register(.profile) { Question(slot: $0) }
        motherboard.register(.login) { Watch(slot: $0) }
        let input = Profile.Input(user: User.ID(rawValue: "ada"))
        #expect(try await motherboard.result(of: .profile, with: input) == "about")
        #expect(try await motherboard.result(of: .login).rawValue == "ada")

        var users: [String] = []
        for try await user in motherboard.outputs(of: .login) { users.append(user.rawValue) }
        #expect(users == ["ada", "grace"])
    }

    @Test func `an error contains the reason for a missing result`() async {
        do {
            _ = try await motherboard.result(of: .login)
            Issue.record("The result of a missing board did not throw.")
        } catch let error as BoardError {
            switch error.code {
            case .noSuchBoard: #expect(error.board == .login)
            default: Issue.record(error)
            }
        } catch {
            Issue.record(error)
        }
    }
}
