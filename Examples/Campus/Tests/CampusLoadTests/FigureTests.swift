import Testing

@testable import campus_load

@Suite struct FigureTests {
    @Test func `a percentile is the smallest element that is large enough for its share`() {
        let times = Array(1...200).shuffled()
        #expect(times.percentile(50) == 100)
        #expect(times.percentile(99) == 198)
        #expect(times.percentile(100) == 200)
        #expect([7].percentile(1) == 7)
        #expect([Int]().percentile(50) == nil)
    }

    @Test func `a limit applies to the 99th percentile only`() {
        let figures = Figure.percentiles("click", of: [.milliseconds(8), .milliseconds(20)], limit: 10)
        #expect(figures.map(\.name) == ["click, p50", "click, p99"])
        #expect(figures.map(\.value) == [8, 20])
        #expect(figures.map(\.isOver) == [false, true])
    }

    @Test func `a figure is too high only if it is above its limit`() {
        #expect(!Figure(name: "a", value: 5, unit: "%", limit: 5).isOver)
        #expect(Figure(name: "a", value: 5.1, unit: "%", limit: 5).isOver)
        #expect(!Figure(name: "a", value: 5, unit: "%").isOver)
    }

    @Test func `the growth of a heap is the difference between the third reading and the largest later reading`() {
        #expect(HeapGrowth.percent(of: [50, 90, 100, 104, 125, 101]) == 25)
        #expect(HeapGrowth.percent(of: [500, 400, 100, 75]) == -25)
        #expect(HeapGrowth.percent(of: [100, 100, 100]) == nil)
    }
}
