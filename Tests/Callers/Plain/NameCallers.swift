import Backplane
import Testing

private enum Score: BoardContract {
    typealias Input = Int
    typealias Output = Int
}

private enum Team: BoardContract {
    static let id: BoardID<Self> = "home-team"
    typealias Input = String
}

private struct ScoreBoard: Board {
    let slot: Slot<Score>
    let team: String
    func activate(with score: Int) { slot.send(score + team.count) }
}

private struct TeamBoard: Board {
    let slot: Slot<Team>
    func activate(with team: String) {}
}

@MainActor @Test func `a board inside a scope is named, registered and declared once`() {
    let motherboard = Motherboard(printsProblems: false)
    var scores: [Int] = []
    motherboard.register(Team.id) { slot in TeamBoard(slot: slot) }
    motherboard.register(Score.id, inside: Team.id) { slot, team in ScoreBoard(slot: slot, team: team) }
    motherboard.registerFlow(from: Score.id) { score, _ in scores.append(score) }
    motherboard.activate(Team.id, with: "ada")
    motherboard.activate(Score.id, with: 1)
    #expect(scores == [4])
    #expect(Team.id.name == "home-team")
}

private enum Submission: BoardContract { typealias Input = Int }

@MainActor @Test func `a task board says whether a snapshot may repeat it`() {
    let motherboard = Motherboard.onMain(printsProblems: false)
    motherboard.registerTask(Submission.id, .queue, repeatable: true) { _, _ in }
    #expect(motherboard.restore(motherboard.snapshot()) == [])
    #expect(BoardSnapshot.Obstacle.notRepeatable.description == "notRepeatable")
    #expect(BoardEvent.Kind.noSuchPoint.description == "noSuchPoint")
}
