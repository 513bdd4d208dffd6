import ArgumentParser

/// The command-line tool that measures Campus under load.
@main
struct CampusLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campus-load",
        abstract: "Measure Campus under load, and compare the figures with limits.",
        discussion: """
            It starts the campus that was built beside it, on free ports and with files of its own. It acts as \
            browsers do: it loads pages, listens to their streams and posts events. The exit status is 1 if a figure \
            is over its limit. It runs on Linux, because it reads /proc.
            """,
        subcommands: [Load.self, Rush.self, Soak.self]
    )
}

/// The reason why a measurement failed, as a text for the user.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Calls `body` with each index below `count`, for at most `width` indexes at a time.
///
/// - Returns: the results, in the order in which they came.
func inParallel<Value: Sendable>(
    _ count: Int,
    width: Int,
    _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        var values: [Value] = []
        for index in 0..<count {
            if index >= width, let value = try await group.next() { values.append(value) }
            group.addTask { try await body(index) }
        }
        for try await value in group { values.append(value) }
        return values
    }
}
