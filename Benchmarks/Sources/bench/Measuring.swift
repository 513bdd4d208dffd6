/// A subject and its baseline.
struct Comparison {
    let subject: Operation
    let baseline: Operation
    /// The largest number of samples, for operations that take seconds.
    let samples: Int

    init(of subject: Operation, with baseline: Operation = .lookup, samples: Int = .max) {
        self.subject = subject
        self.baseline = baseline
        self.samples = samples
    }
}

/// The number and the length of the samples.
struct Effort: Sendable {
    let samples: Int
    let length: Duration

    static let full = Effort(samples: 31, length: .milliseconds(20))
    static let quick = Effort(samples: 3, length: .milliseconds(1))
}

/// The result of a measurement: medians of all samples.
struct Reading: Sendable {
    /// The time of the subject, divided by the time of the baseline.
    let ratio: Double
    /// Half the distance between the quartiles of the ratio, relative to the ratio.
    let spread: Double
    let subject: Double
    let baseline: Double
}

extension Comparison {
    /// Times baseline and subject in turns, so that other work of the machine slows down both.
    func measure(_ effort: Effort) async -> Reading {
        let baselineCount = await baseline.calibrated(to: effort.length)
        let subjectCount = await subject.calibrated(to: effort.length)
        var ratios: [Double] = []
        var subjects: [Double] = []
        var baselines: [Double] = []
        for _ in 0..<min(samples, effort.samples) {
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
    /// Returns how often to repeat the operation to last for `length`, and thereby warms it up.
    fileprivate func calibrated(to length: Duration) async -> Int {
        if let count {
            _ = await time(count: count)
            return count
        }
        var count = 1
        while await time(count: count) < length { count *= 2 }
        return count
    }

    /// Returns the time of one operation.
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
