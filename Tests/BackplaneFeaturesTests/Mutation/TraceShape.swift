import BackplaneTesting

@testable import BackplaneFeatures

/// A sort of value that traces are played on, and what is done to it by operations that have numbers.
protocol TraceShape {
    associatedtype Value: Equatable

    static var initial: Value { get }

    /// What an operation does, and what it sets if it is of that kind; every later value must show that it has been done,
    /// if it is to leave traces.
    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> (intent: Intent<Value>, target: AnyHashable?)

    /// What somebody else does, who must not be mistaken for one of our operations.
    static func writeOfSomebodyElse(_ value: inout Value)

    /// How often an operation has been done to a value; nil if the value cannot tell.
    static func occurrences(of operation: Int, in value: Value) -> Int?
}

/// A dictionary of lists: operations append their number to one list, or remove one.
enum MapShape: TraceShape {
    struct NoSuchList: Error {}

    static let initial: [Int: [Int]] = [0: [], 1: [], 2: []]

    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> (intent: Intent<[Int: [Int]]>, target: AnyHashable?) {
        let key = generator.below(3)
        if !leavesTraces, generator.chance(20) { return (.edit { $0[key] = nil }, nil) }
        return (
            .edit { value in
                // After a change, which must not stay.
                value[3] = []
                if value[key] == nil { throw NoSuchList() }
                value[3] = nil
                value[key]?.append(operation)
            }, nil
        )
    }

    static func writeOfSomebodyElse(_ value: inout [Int: [Int]]) {
        value[0]?.append(-1)
    }

    static func occurrences(of operation: Int, in value: [Int: [Int]]) -> Int? {
        value.values.reduce(0) { $0 + $1.count { $0 == operation } }
    }
}

/// Two numbers that operations set to their own, so that a later one replaces an earlier one that is still queued.
enum ScalarShape: TraceShape {
    struct Pair: Equatable {
        var left = -2
        var right = -2
    }

    static let initial = Pair()

    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> (intent: Intent<Pair>, target: AnyHashable?) {
        generator.chance(50)
            ? (.edit { $0.left = operation }, "left") : (.edit { $0.right = operation }, "right")
    }

    static func writeOfSomebodyElse(_ value: inout Pair) {
        value.left = -1
    }

    static func occurrences(of operation: Int, in value: Pair) -> Int? { nil }
}

/// A sum, in which every operation has two bits of its own: done twice, it shows.
enum CounterShape: TraceShape {
    static let initial = 0

    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> (intent: Intent<Int>, target: AnyHashable?) {
        (.edit { $0 += 1 << (2 * operation) }, nil)
    }

    static func writeOfSomebodyElse(_ value: inout Int) {
        value += 1 << 40
    }

    static func occurrences(of operation: Int, in value: Int) -> Int? {
        value >> (2 * operation) & 0b11
    }
}
