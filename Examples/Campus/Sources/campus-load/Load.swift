import ArgumentParser
import Foundation
import NIOCore
import NIOPosix

/// A command that opens many windows.
struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open many windows, and measure memory, idle CPU, latency, and the recovery from a crash."
    )

    @Option(help: "The number of windows.") var windows = 2000
    @Option(help: "The number of browsers that share the windows, each with its own sign-in.") var sessions: Int?
    @Option(help: "The number of times that a course is opened and left.") var clicks = 500
    @Option(help: "The number of pages to load, and of static files for comparison.") var pages = 200
    @Option(help: "The number of seconds without activity in which CPU is measured.") var idle = 10

    // The server allows 64 windows in a session, and the pages that are loaded later need some.
    private var browsers: Int { sessions ?? max(1, windows / 40) }

    func validate() throws {
        guard clicks > 0, pages > 0, idle > 0 else {
            throw ValidationError("--clicks, --pages and --idle must be positive.")
        }
        guard browsers > 0, browsers < windows, windows <= 60 * browsers else {
            throw ValidationError("Specify more windows than sessions, and at most 60 windows for each session.")
        }
    }

    func run() async throws {
        // The server has a connection for each window, and some files and connections of its own.
        try requireOpenFiles(windows + 500)
        print("\(windows) windows in \(browsers) sessions, each window with an open stream")
        let figures =
            try await withTemporaryDirectory { try await connectionFigures(in: $0) }
            + withTemporaryDirectory { try await windowFigures(in: $0) }
        for figure in figures { print(figure.row) }
        if figures.contains(where: \.isOver) { throw ExitCode.failure }
    }

    /// Measures a server with connections that have no window.
    ///
    /// This is a process of its own. Otherwise the windows would use memory that the connections
    /// have freed.
    private func connectionFigures(in directory: URL) async throws -> [Figure] {
        let count = min(windows, 500)
        return try await withServer(in: directory) { server in
            let before = try await server.memory()
            let connections = try await inParallel(count, width: 8) { _ in
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: server.ports.app)
                    .get()
                let request = "GET /_host/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                try await channel.writeAndFlush(ByteBuffer(string: request))
                return channel
            }
            let figures = growth("an idle connection", from: before, to: try await server.memory(), by: count)
            for connection in connections { try await connection.close() }
            return figures
        }
    }

    private func windowFigures(in directory: URL) async throws -> [Figure] {
        let (tabs, ports, crash, figures) = try await withServer(in: directory) { server in
            let first = try await inParallel(browsers, width: 4) { index in
                let tab = try await OpenPage.open(by: Visitor(at: server.root))
                // More than five sign-ins of a user at a time would be refused.
                try await tab.signIn(as: DemoUser.all[index % DemoUser.all.count])
                return tab
            }
            let before = try await server.memory()
            let rest = try await inParallel(windows - browsers, width: 8) { index in
                let tab = try await OpenPage.open(by: first[index % first.count].visitor)
                try await tab.showDashboard()
                return tab
            }
            let after = try await server.memory()
            var figures = growth("a window", from: before, to: after, by: rest.count, limit: Limits.windowMemory)
            let cpu = try await server.cpu(for: idle)
            figures.append(Figure(name: "CPU while idle", value: cpu, unit: "% ", limit: Limits.idleCPU))
            let tabs = first + rest
            figures += try await latencies(of: tabs)
            let crash = ContinuousClock.now
            await server.kill()
            return (tabs, server.ports, crash, figures)
        }
        return try await figures + recoveryFigures(of: tabs, from: crash, in: directory, ports: ports)
    }

    private func latencies(of tabs: [OpenPage]) async throws -> [Figure] {
        var clickTimes: [Duration] = []
        for index in 0..<clicks {
            let tab = tabs[index % tabs.count]
            clickTimes.append(try await tab.openCourse())
            clickTimes.append(try await tab.leaveCourse())
        }
        var pageTimes: [Duration] = []
        var fileTimes: [Duration] = []
        for index in 0..<pages {
            let visitor = tabs[index % tabs.count].visitor
            pageTimes.append(try await visitor.timeToFirstByte(of: "/"))
            fileTimes.append(try await visitor.timeToFirstByte(of: "/_host/style.css"))
        }
        return Figure.percentiles("click to new screen", of: clickTimes, limit: Limits.click)
            + Figure.percentiles("first byte of a page", of: pageTimes, limit: Limits.firstByte)
            + Figure.percentiles("first byte of a static file", of: fileTimes)
    }

    /// Starts the server again after a crash, and measures when the open pages are shown again.
    private func recoveryFigures(
        of tabs: [OpenPage],
        from crash: ContinuousClock.Instant,
        in directory: URL,
        ports: Server.Ports
    ) async throws -> [Figure] {
        let returns = try await withServer(in: directory, ports: ports) { _ in
            try await inParallel(tabs.count, width: tabs.count) { try? await tabs[$0].showDashboard(after: crash) }
        }
        let times = returns.compactMap { $0 }
        let recovery = crash.duration(to: times.max() ?? .now) / Duration.seconds(1)
        let lost = Double(tabs.count - times.count)
        return [
            Figure(name: "recovery after kill -9", value: recovery, unit: "s ", limit: Limits.recovery),
            Figure(name: "windows lost by kill -9", value: lost, unit: "  ", limit: Limits.lostWindows),
        ]
    }

    private func growth(
        _ name: String,
        from before: Server.Memory,
        to after: Server.Memory,
        by count: Int,
        limit: Double? = nil
    ) -> [Figure] {
        let bytes = [
            ("RSS", after.rss - before.rss), ("PSS", after.pss - before.pss), ("heap in use", after.heap - before.heap),
        ]
        return bytes.map { kind, bytes in
            let value = Double(bytes) / Double(count) / 1000
            return Figure(name: "memory of \(name), \(kind)", value: value, unit: "kB", limit: limit)
        }
    }
}
