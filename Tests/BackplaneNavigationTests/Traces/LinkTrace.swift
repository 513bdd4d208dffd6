import BackplaneNavigation
import BackplaneTesting
import TestSupport

/// Random links, each of which comes by some ways in any order.
enum LinkTrace {
    /// Returns a violated rule of `LinkReceiver`; `nil` if there is none.
    static func play(_ random: inout SeededGenerator, clock: ManualClock) -> String? {
        let links = LinkReceiver(clock: clock)
        for _ in 0..<2 {
            var deliveries: [(link: String, way: String)] = []
            for _ in 0..<random.below(4) {
                let link = "link \(random.below(2))"
                let ways = ["url", "activity", "delegate", "scene"].filter { _ in random.chance(60) }
                deliveries += ways.map { (link, $0) }
            }
            deliveries.shuffle(using: &random)
            var accepted: [String: Int] = [:]
            for (link, way) in deliveries where links.accepts(link, by: way) { accepted[link, default: 0] += 1 }
            // Each way delivers an opening once, so the busiest way has seen them all.
            let byLink = Dictionary(grouping: deliveries, by: \.link)
            let expected = byLink.mapValues { Dictionary(grouping: $0, by: \.way).values.map(\.count).max() ?? 0 }
            if accepted != expected { return "\(deliveries) counted \(accepted), expected \(expected)" }
            clock.advance(by: .seconds(1))
        }
        return nil
    }
}
