import ArgumentParser
import Foundation

/// A command that signs in and out over and over.
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign in and out over and over, and check that the heap does not grow.",
        discussion: """
            In each sign-in, a browser opens a page, signs in, opens a course, signs out and closes the page. The largest \
            heap after the third cycle is compared with the heap after the third one.
            """
    )

    @Option(help: "The number of cycles.") var cycles = 11
    @Option(help: "The number of sign-ins in a cycle.") var signIns = 1000
    @Option(help: "The number of browsers that sign in at the same time.") var browsers = 4

    func validate() throws {
        guard cycles > HeapGrowth.warmUp else {
            throw ValidationError("The heap is judged after cycle \(HeapGrowth.warmUp), so run more cycles.")
        }
        // More than five sign-ins of a user at a time would be refused.
        guard signIns > 0, (1...8).contains(browsers) else {
            throw ValidationError("Specify sign-ins, and from 1 to 8 browsers.")
        }
    }

    func run() async throws {
        let readings = try await withTemporaryDirectory { directory in
            // Each thread of the C library keeps some freed memory, which counts as in use. New
            // threads would look like growth.
            try await withServer(in: directory, environment: ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]) {
                server in
                let visitors = (0..<browsers).map { _ in Visitor(at: server.root) }
                var readings: [Int] = []
                for cycle in 1...cycles {
                    try await signIn(visitors)
                    let memory = try await server.memory()
                    readings.append(memory.heap)
                    print(
                        "cycle \(cycle): RSS \(kB(memory.rss)), PSS \(kB(memory.pss)), heap \(kB(memory.heap)) in use"
                    )
                    // Otherwise the lines of a file appear only at the end.
                    fflush(nil)
                }
                return readings
            }
        }
        guard let growth = HeapGrowth.percent(of: readings) else { throw Failure("The heap was read too rarely.") }
        let name = "growth of the heap after cycle \(HeapGrowth.warmUp)"
        let figure = Figure(name: name, value: growth, unit: "%", limit: Limits.heapGrowth)
        print(figure.row)
        if figure.isOver { throw ExitCode.failure }
    }

    /// Performs one cycle.
    ///
    /// The browsers keep their cookies: a session that nobody uses lives for half an hour, so new
    /// sessions would be growth that is intended.
    private func signIn(_ visitors: [Visitor]) async throws {
        let count = signIns
        _ = try await inParallel(visitors.count, width: visitors.count) { browser in
            for _ in stride(from: browser, to: count, by: visitors.count) {
                let tab = try await OpenPage.open(by: visitors[browser])
                try await tab.signIn(as: DemoUser.all[browser % DemoUser.all.count])
                try await tab.openCourse()
                try await tab.leaveCourse()
                try await tab.signOut()
                try await tab.close()
            }
        }
    }

    private func kB(_ bytes: Int) -> String { "\(bytes / 1000) kB" }
}
