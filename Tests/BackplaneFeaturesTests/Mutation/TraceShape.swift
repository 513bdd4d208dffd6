import TestSupport

@testable import BackplaneFeatures

/// A kind of value for traces, with the numbered operations that change it.
protocol TraceShape {
    associatedtype Value: Equatable

    static var initial: Value { get }

    /// Returns the intent of an operation.
    ///
    /// If the operation leaves traces, every later value shows that it was performed.
    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> Intent<Value>

    /// Writes as another client, distinguishable from the operations of the trace.
    static func writeOfSomebodyElse(_ value: inout Value)

    /// Returns the number of times that an operation was applied to a value; `nil` if the value
    /// cannot tell.
    static func occurrences(of operation: Int, in value: Value) -> Int?
}

/// A dictionary of lists: an operation appends its number to a list or removes a list.
enum MapShape: TraceShape {
    struct NoSuchList: Error {}

    static let initial: [Int: [Int]] = [0: [], 1: [], 2: []]

    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> Intent<[Int: [Int]]> {
        let key = generator.below(3)
        if !leavesTraces, generator.chance(20) { return .edit { $0[key] = nil } }
        return .edit { value in
            // The error follows a change that must not stay.
            value[3] = []
            if value[key] == nil { throw NoSuchList() }
            value[3] = nil
            value[key]?.append(operation)
        }
    }

    static func writeOfSomebodyElse(_ value: inout [Int: [Int]]) {
        value[0]?.append(-1)
    }

    static func occurrences(of operation: Int, in value: [Int: [Int]]) -> Int? {
        value.values.reduce(0) { $0 + $1.count { $0 == operation } }
    }
}

/// Two numbers that operations set to their own number, so that a later operation replaces a queued
/// one.
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
    ) -> Intent<Pair> {
        .set(generator.chance(50) ? \.left : \.right, to: operation)
    }

    static func writeOfSomebodyElse(_ value: inout Pair) {
        value.left = -1
    }

    static func occurrences(of operation: Int, in value: Pair) -> Int? { nil }
}

/// A sum in which every operation has its own two bits, so that a repeated operation is visible.
enum CounterShape: TraceShape {
    static let initial = 0

    static func intent(
        of operation: Int,
        leavesTraces: Bool,
        using generator: inout SeededGenerator
    ) -> Intent<Int> {
        .edit { $0 += 1 << (2 * operation) }
    }

    static func writeOfSomebodyElse(_ value: inout Int) {
        value += 1 << 40
    }

    static func occurrences(of operation: Int, in value: Int) -> Int? {
        value >> (2 * operation) & 0b11
    }
}
