import Backplane
import BackplaneConcurrency
import BackplaneTesting
import XCTest

/// Tests that failures are reported to XCTest, at the line of the call.
@MainActor final class XCTestReportingTests: XCTestCase {
    func testWhatIsExpectedPasses() {
        let test = TestMotherboard()
        let login = test.stub(.login)
        test.motherboard.activate(.login)
        login.complete()
        test.expect(.activated(.login), .completed(.login))
    }

    // XCTest has `XCTExpectFailure` on Apple platforms only, and `recordFailure` can be overridden
    // on Linux only.
    #if canImport(Darwin)
        func testWhatIsNotExpectedFails() {
            XCTExpectFailure { $0.compactDescription.contains("− .activated(.login)") }
            TestMotherboard().expect(.activated(.login))
        }
    #else
        private struct Caught {
            var isCatching = false
            var failures: [(message: String, line: Int)] = []
        }

        private nonisolated let caught = Locked(Caught())

        private func failures(_ body: () async -> Void) async -> [(message: String, line: Int)] {
            caught.withLock { $0.isCatching = true }
            await body()
            return caught.withLock { caught in
                caught.isCatching = false
                return caught.failures
            }
        }

        func testWhatIsNotExpectedFails() async {
            let failures = await failures { TestMotherboard().expect(.activated(.login)) }
            XCTAssertEqual(failures.map(\.line), [#line - 1])
            XCTAssertEqual(
                failures.map(\.message),
                [
                    """
                    failed - The events differ from the expected ones (− expected, + happened):

                      − .activated(.login)
                    """
                ]
            )
        }

        func testWhatHappensInATaskThatKnowsOfNoTestIsReportedToo() async {
            let failures = await failures {
                await Task.detached { @MainActor in TestMotherboard().expect(.activated(.login)) }.value
            }
            XCTAssertEqual(failures.count, 1)
        }

        override nonisolated func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            let isCaught = caught.withLock { caught in
                if caught.isCatching { caught.failures.append((description, lineNumber)) }
                return caught.isCatching
            }
            guard !isCaught else { return }
            super.recordFailure(
                withDescription: description,
                inFile: filePath,
                atLine: lineNumber,
                expected: expected
            )
        }
    #endif
}
