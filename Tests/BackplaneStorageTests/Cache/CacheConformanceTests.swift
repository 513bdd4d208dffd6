import BackplaneNetworking
import CacheConformance
import Foundation
import TestSupport
import Testing

@testable import BackplaneStorage

/// The runner of `make conformance`, with tests of our own in the same format.
@Suite(.timeLimit(.minutes(2)))
struct CacheConformanceTests {
    private let directory = TemporaryDirectory()

    private func report(_ tests: String, _ kind: StoreKind) async throws -> CacheReport {
        let file = directory.file("suite.json")
        try Data(#"[{"id": "own", "name": "own", "tests": [\#(tests)]}]"#.utf8).write(to: file)
        return try await CacheReport(of: CacheSuite.parts(in: file), store: kind.rawValue) {
            kind == .memory ? .memory() : .file(at: directory.file("\(UUID()).sqlite"))
        }
    }

    private static let passing = #"""
        {"id": "fresh", "name": "", "kind": "optimal", "requests": [
            {"response_headers": [["Cache-Control", "max-age=60"], ["Date", 0]], "setup": true, "pause_after": true},
            {"expected_type": "cached", "expected_response_headers": [["Age", ">", 2]]}]},
        {"id": "expired", "name": "", "requests": [
            {"response_headers": [["Expires", 2], ["Date", 0]], "setup": true, "pause_after": true},
            {"expected_type": "not_cached"}]},
        {"id": "tag", "name": "", "requests": [
            {"response_headers": [["Cache-Control", "max-age=1"], ["ETag", "\"a\""], ["A", "1"]], "setup": true,
                "pause_after": true},
            {"response_headers": [["A", "2"]], "expected_type": "etag_validated",
                "expected_response_headers": [["A", "2"]]}]},
        {"id": "date", "name": "", "requests": [
            {"response_headers": [["Cache-Control", "max-age=1"], ["Last-Modified", -60]], "setup": true,
                "pause_after": true},
            {"expected_type": "lm_validated"}]},
        {"id": "background", "name": "", "requests": [
            {"response_headers": [["Cache-Control", "max-age=1, stale-while-revalidate=60"]], "setup": true,
                "pause_after": true},
            {"response_headers": [["Cache-Control", "max-age=60"], ["A", "2"]], "expected_type": "cached"},
            {"expected_type": "cached", "expected_response_headers": [["A", "2"]]}]},
        {"id": "lost", "name": "", "requests": [
            {"response_headers": [["Cache-Control", "max-age=1, stale-if-error=60"]], "setup": true,
                "pause_after": true},
            {"disconnect": true, "expected_type": "cached"}]},
        {"id": "write", "name": "", "requests": [
            {"response_headers": [["Cache-Control", "max-age=60"]], "setup": true},
            {"request_method": "POST", "request_body": "a", "setup": true},
            {"expected_type": "not_cached", "expected_request_headers_missing": ["If-None-Match"]}]}
        """#

    @Test(.rule("H14"), arguments: StoreKind.allCases)
    func `tests in the format of the suite pass`(kind: StoreKind) async throws {
        let report = try await report(Self.passing, kind)
        #expect(report.failures.isEmpty, "\(report.text)")
        #expect(report.results.count == 7)
    }

    /// The opposite of tests that pass: a runner that cannot fail is no runner.
    @Test(
        .rule("H14"),
        arguments: [
            #"{"response_headers": [["Cache-Control", "max-age=60"]], "setup": true}, {"expected_type": "not_cached"}"#,
            #"{"setup": true}, {"expected_type": "cached"}"#,
            #"{"setup": true, "response_headers": [["ETag", "\"a\""]]}, {"expected_type": "lm_validated"}"#,
            #"{"expected_response_headers": [["A", "1"]]}"#, #"{"expected_response_headers": ["A"]}"#,
            #"{"expected_response_headers": [["Server-Request-Count", ">", 1]]}"#,
            #"{"expected_response_headers_missing": ["Server-Request-Count"]}"#, #"{"expected_status": 201}"#,
            #"{"expected_request_headers": ["A"]}"#, #"{"expected_request_headers_missing": ["Req-Num"]}"#,
            #"{"expected_response_text": "a"}"#, #"{"expected_method": "HEAD"}"#,
            #"{"disconnect": true}"#,
        ]
    )
    func `a test whose expectation is not met fails`(requests: String) async throws {
        let report = try await report(#"{"id": "wrong", "name": "", "requests": [\#(requests)]}"#, .memory)
        #expect(report.failures.count == 1, "\(report.text)")
    }

    @Test(.rule("H14"))
    func `a test for other caches does not count`() async throws {
        let wrong = #"{"id": "wrong", "name": "", "browser_skip": true, "requests": [{"expected_status": 201}]}"#
        let report = try await report(wrong, .memory)
        #expect(report.failures.isEmpty)
        #expect(report.text.contains("not applicable"))
    }
}
