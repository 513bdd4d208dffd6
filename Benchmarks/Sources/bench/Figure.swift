/// A row of the table of figures: what is measured, and the limit it must keep.
struct Figure: Sendable {
    let id: String
    let limit: Double
    let comparison: @Sendable (_ owner: any Actor) -> Comparison

    init(_ id: String, limit: Double, _ comparison: @escaping @Sendable (_ owner: any Actor) -> Comparison) {
        self.id = id
        self.limit = limit
        self.comparison = comparison
    }

    static let all: [Figure] = [
        Figure("hop", limit: 2) { Comparison(subject: .hop(on: $0)) },
        Figure("hop-queued", limit: 4) { Comparison(subject: .queuedHop(on: $0)) },
        Figure("command", limit: 2) { Comparison(subject: .command(on: $0)) },
        Figure("command-handle", limit: 0.5) { Comparison(subject: .commandByHandle(on: $0)) },
        Figure("cycle", limit: 8) { Comparison(subject: .cycle(on: $0)) },
    ]

    static subscript(id: String) -> Figure? { all.first { $0.id == id } }

    /// Measures and prints the row; whether it keeps its limit.
    @MainActor func isKept(_ effort: Effort) async -> Bool {
        let reading = await comparison(MainActor.shared).measure(effort)
        print(
            "# \(id): \(reading.subject.fixed(1)) ns, baseline \(reading.baseline.fixed(1)) ns,",
            "spread \((reading.spread * 100).fixed(1)) %"
        )
        let isKept = reading.ratio <= limit
        print("figure \(id) \(reading.ratio.fixed(2)) limit \(limit.shortest) \(isKept ? "ok" : "over")")
        return isKept
    }

    /// Performs the operation that is measured, without measuring.
    @MainActor func perform(_ count: Int) async {
        await comparison(MainActor.shared).subject.perform(count)
    }
}

extension Double {
    /// With so many decimals.
    fileprivate func fixed(_ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((self * scale).rounded())
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale)).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
    }

    /// Without a decimal where it has none.
    fileprivate var shortest: String {
        self == rounded() ? String(Int(self)) : String(self)
    }
}
