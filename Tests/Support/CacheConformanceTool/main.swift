import BackplaneNetworking
import BackplaneStorage
import CacheConformance
import Foundation

// Runs a suite in the format of http-tests/cache-tests for each store, prints the results, and
// fails if a required or an optimal test fails without a declared reason.
guard CommandLine.arguments.count == 2 else {
    print("usage: cache-conformance SUITE.json")
    exit(64)
}
let parts = try CacheSuite.parts(in: URL(fileURLWithPath: CommandLine.arguments[1]))
let directory = FileManager.default.temporaryDirectory.appending(path: "cache-conformance-\(UUID())")
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
var reports = [try await CacheReport(of: parts, store: "memory") { .memory() }]
reports.append(
    try await CacheReport(of: parts, store: "file") { .file(at: directory.appending(path: "\(UUID()).sqlite")) }
)
for report in reports { print(report.text) }
let agrees = zip(reports[0].results, reports[1].results).allSatisfy { $0.result == $1.result }
print(agrees ? "The stores agree." : "The stores DIFFER.")
try? FileManager.default.removeItem(at: directory)
exit(agrees && reports.allSatisfy(\.failures.isEmpty) ? 0 : 1)
