#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Measures the library's figures and compares them with their limits.
@main struct Bench {
    private static let usage = """
        bench [--quick] [ID...]      measures all figures, or the given ones; fails if one is over its limit
        bench --perform ID COUNT     only runs the operation of a figure, for a tool that counts instructions
        """

    @MainActor static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "--perform":
            arguments.removeFirst()
            guard arguments.count == 2, let figure = arguments.first.flatMap({ Figure[$0] }),
                let count = arguments.last.flatMap({ Int($0) }), await figure.perform(count: count)
            else { explain() }
        case "--quick": await measure(arguments.dropFirst(), .quick)
        default: await measure(arguments, .full)
        }
    }

    @MainActor private static func measure(_ ids: ArraySlice<String>, _ effort: Effort) async {
        let figures = ids.isEmpty ? Figure.all : ids.compactMap { Figure[$0] }
        guard ids.isEmpty || figures.count == ids.count else { explain() }
        var allKept = true
        for figure in figures where await !figure.isKept(effort) { allKept = false }
        if !allKept { exit(1) }
    }

    private static func explain() -> Never {
        print(usage)
        print("Figures: \(Figure.all.map(\.id).joined(separator: ", "))")
        exit(64)
    }
}
