/// A subject and what it is compared with.
struct Comparison {
    let subject: Operation
    let baseline: Operation

    init(of subject: Operation, with baseline: Operation = .lookup) {
        self.subject = subject
        self.baseline = baseline
    }
}

/// How long to measure.
struct Effort: Sendable {
    let samples: Int
    let length: Duration

    static let full = Effort(samples: 31, length: .milliseconds(20))
    static let quick = Effort(samples: 3, length: .milliseconds(1))
}

/// What came out: medians of all samples.
struct Reading: Sendable {
    /// A subject's time in baselines.
    let ratio: Double
    /// Half the distance between the quartiles of the ratio, relative to it.
    let spread: Double
    let subject: Double
    let baseline: Double
}

extension Comparison {
    /// Times baseline and subject by turns, so that whatever else the machine does at the time slows down both.
    func measure(_ effort: Effort) async -> Reading {
        let baselineCount = await baseline.calibrated(to: effort.length)
        let subjectCount = await subject.calibrated(to: effort.length)
        var ratios: [Double] = []
        var subjects: [Double] = []
        var baselines: [Double] = []
        for _ in 0..<effort.samples {
            let unit = await baseline.nanoseconds(count: baselineCount)
            let time = await subject.nanoseconds(count: subjectCount)
            ratios.append(time / unit)
            subjects.append(time)
            baselines.append(unit)
        }
        let ratio = ratios.quantile(0.5)
        return Reading(
            ratio: ratio,
            spread: (ratios.quantile(0.75) - ratios.quantile(0.25)) / 2 / ratio,
            subject: subjects.quantile(0.5),
            baseline: baselines.quantile(0.5)
        )
    }
}

extension Operation {
    /// How often the operation is to be done to last for `length`; finding out warms it up.
    fileprivate func calibrated(to length: Duration) async -> Int {
        if let count {
            _ = await time(count: count)
            return count
        }
        var count = 1
        while await time(count: count) < length { count *= 2 }
        return count
    }

    /// The time of one.
    fileprivate func nanoseconds(count: Int) async -> Double {
        await time(count: count) / .nanoseconds(count)
    }

    private func time(count: Int) async -> Duration {
        prepare()
        let clock = ContinuousClock()
        let start = clock.now
        await perform(count)
        return clock.now - start
    }
}

extension [Double] {
    fileprivate func quantile(_ part: Double) -> Double {
        sorted()[Int((part * Double(count - 1)).rounded())]
    }
}
