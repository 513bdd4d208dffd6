import Foundation
import TestSupport
import Testing

/// Small runs of the program behind `make outbox-torture`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OutboxTortureTests {
    @Test(.rule("D13", "D14", "D16", "D25", "D26", "D27", "D28", "D29", "D30", "D32", "D35", "D38", "D40"))
    func `processes that are killed keep the rules of the outbox`() async throws {
        let run = try await TestProcess.torture("--short", "--kills", "20", "--seed", "20")
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(
        .rule("D13", "D25"),
        arguments: ["no-dedupe", "delete-before-send", "ignore-key-window", "keeps-words", "mixed-tags", "undiscarded"]
    )
    func `the oracle finds a missing safeguard`(ablation: String) async throws {
        // It stops when it has found it.
        let run = try await TestProcess.torture("--kills", "75", "--seed", "20", "--ablation", ablation)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(.rule("N7", "N11", "N12", "N13", "N19", "N25", "N31"))
    func `processes that share a vault and are killed do not lose or restore a session`() async throws {
        let run = try await TestProcess.torture("vaults", "--rounds", "12", "--seed", "34")
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(.rule("N7", "N13"), arguments: ["no-lock", "no-clear", "no-save"])
    func `the history of a vault shows if a safeguard is missing`(ablation: String) async throws {
        let run = try await TestProcess.torture("vaults", "--rounds", "60", "--seed", "34", "--ablation", ablation)
        #expect(run.status == 0, "\(run.output)")
    }
}

extension TestProcess {
    /// Runs the program, which stands next to the test bundle.
    fileprivate static func torture(_ arguments: String...) async throws -> TestProcess {
        try await TestProcess(buildFolder.appending(path: "outbox-torture"), arguments)
    }
}
