import Foundation

/// The limits of the figures, in the units of the figures.
enum Limits {
    /// The memory of a window, in kB.
    static let windowMemory = 100.0
    /// The CPU of a server whose windows are idle, in percent of one core.
    static let idleCPU = 5.0
    /// The time from a click to the new screen, in ms, which 99 of 100 clicks keep.
    static let click = 250.0
    /// The time to the first byte of a page, in ms, which 99 of 100 pages keep.
    static let firstByte = 250.0
    /// The time from a crash until every page is shown again, in s.
    static let recovery = 60.0
    /// The number of windows that do not survive a crash.
    static let lostWindows = 0.0
    /// The time of a sign-in while passwords are guessed, in ms, which half of the sign-ins keep.
    static let signIn = 1000.0
    /// The growth of the heap after the first cycles, in percent.
    static let heapGrowth = 5.0
}

/// A measured value, and its limit; a figure without a limit is for comparison.
struct Figure: Sendable {
    let name: String
    let value: Double
    let unit: String
    var limit: Double?

    var isOver: Bool { limit.map { value > $0 } ?? false }

    /// The figure as a row of a table.
    var row: String {
        let name = name.padding(toLength: 44, withPad: " ", startingAt: 0)
        let verdict = limit.map { "   limit \(String(format: "%5.1f", $0)) \(unit)  \(isOver ? "OVER" : "ok")" }
        return "\(name)\(String(format: "%9.1f", value)) \(unit)\(verdict ?? "")"
    }
}

extension Figure {
    /// Returns the 50th and the 99th percentile of `times`; `limit` applies to the 99th.
    static func percentiles(
        _ name: String,
        of times: [Duration],
        limit: Double? = nil,
        medianLimit: Double? = nil
    ) -> [Figure] {
        [50, 99].compactMap { percent in
            times.percentile(percent).map { time in
                Figure(
                    name: "\(name), p\(percent)",
                    value: time / Duration.milliseconds(1),
                    unit: "ms",
                    limit: percent == 99 ? limit : medianLimit
                )
            }
        }
    }
}

extension Array where Element: Comparable {
    /// Returns the smallest element that at least `percent` percent of all elements do not exceed;
    /// `nil` for an empty array.
    func percentile(_ percent: Int) -> Element? {
        guard !isEmpty else { return nil }
        let rank = (percent * count + 99) / 100
        return sorted()[Swift.max(rank, 1) - 1]
    }
}

/// The judge of a heap that must not grow from cycle to cycle.
enum HeapGrowth {
    /// The number of cycles in which caches fill; the reading after the last of them is the base.
    static let warmUp = 3

    /// Returns the growth from the base to the largest later reading, in percent; `nil` if there is
    /// no later reading.
    static func percent(of readings: [Int]) -> Double? {
        guard let largest = readings.dropFirst(warmUp).max() else { return nil }
        return (Double(largest) / Double(readings[warmUp - 1]) - 1) * 100
    }
}
