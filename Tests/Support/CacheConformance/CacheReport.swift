package import BackplaneNetworking

/// The results of a suite for one store.
package struct CacheReport: Sendable {
    /// The tests that a private cache of a client fails by decision, with the reason.
    package static let declared: [String: String] = [
        "cc-resp-immutable-fresh": "a request with `max-age=0` reloads an immutable response, too",
        "method-POST": "responses to POST are not cached",
    ]

    /// The store.
    package let store: String
    /// The results in the order of the suite.
    package let results: [(test: CacheTest, result: CacheTestResult)]

    /// Runs all tests, each with a store of its own.
    package init(of parts: [CacheSuite], store: String, _ make: () throws -> ResponseStore) async throws {
        self.store = store
        var results: [(CacheTest, CacheTestResult)] = []
        for test in parts.flatMap(\.tests) {
            results.append((test, await (try CacheTestRun(test, make())).result()))
        }
        self.results = results
    }

    /// The reason why a test does not apply to a private cache of a client.
    package static func inapplicability(of test: CacheTest) -> String? {
        if test.isForOthers { return "only for caches other than browsers (`browser_skip`)" }
        if test.isForServers { return "only for caches of servers (`cdn_only`)" }
        return nil
    }

    /// The tests that count and failed without a declared reason.
    package var failures: [(test: CacheTest, result: CacheTestResult)] {
        results.filter { test, result in
            result != .passed && test.kind != .check && Self.inapplicability(of: test) == nil
                && Self.declared[test.id] == nil
        }
    }

    /// The report, one line for each test that did not pass.
    package var text: String {
        var lines: [String] = []
        for kind in [CacheTest.Kind.required, .optimal, .check] {
            let all = results.filter { $0.test.kind == kind }
            let applicable = all.filter { Self.inapplicability(of: $0.test) == nil }
            let passed = applicable.filter { $0.result == .passed }.count
            lines.append(
                "\(store) \(kind.rawValue): \(passed) of \(applicable.count) passed, "
                    + "\(all.count - applicable.count) not applicable"
            )
        }
        for (test, result) in results where result != .passed {
            var note = Self.inapplicability(of: test).map { "not applicable: \($0)" }
            if note == nil, test.kind != .check { note = Self.declared[test.id].map { "declared: \($0)" } }
            let label = note == nil ? (test.kind == .check ? "differs" : "FAILED") : "  (\(note ?? ""))"
            let reason =
                switch result {
                case .passed: ""
                case .failed(let message): message
                case .notSetUp(let message): "not set up: \(message)"
                }
            lines.append("  \(store) \(test.kind.rawValue) \(test.id) \(label): \(reason)")
        }
        return lines.joined(separator: "\n")
    }
}
