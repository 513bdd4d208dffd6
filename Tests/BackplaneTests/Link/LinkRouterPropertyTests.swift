import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The router, compared with simple reference programs.
struct LinkRouterPropertyTests {
    @Test(.rule("B38")) func `the most literal template wins regardless of the order of addition`() async throws {
        let run = RandomRun(count: 500, countVariable: "BACKPLANE_ROUTERS")
        var random = SeededGenerator(seed: run.seed)
        for _ in 0..<run.count {
            await run.letOthersRun()
            var shapes = Set((0..<Int.random(in: 1...20, using: &random)).map { _ in Self.shape(&random) })
            shapes.insert([])
            var router = LinkRouter<[String?]>()
            for shape in shapes.shuffled(using: &random) {
                let parts = shape.enumerated().map { $1 ?? "{p\($0)}" }
                router.add(try LinkTemplate(parts.joined(separator: "/")), shape)
            }
            for _ in 0..<20 {
                let path = Self.shape(&random).map { $0 ?? "d" }
                let expected = Self.best(of: shapes, for: path)
                guard case .match(let found, let parameters) = router.match("/" + path.joined(separator: "/")) else {
                    #expect(expected == nil, "\(path) among \(shapes), \(run)")
                    continue
                }
                try #require(found == expected, "\(path) among \(shapes), \(run)")
                for (index, segment) in path.enumerated() where found[index] == nil {
                    #expect(try parameters["p\(index)"] == segment, "\(path) among \(shapes), \(run)")
                }
            }
        }
    }

    @Test(.rule("B39")) func `values that are written into a link are read back unchanged`() async throws {
        let run = RandomRun(count: 2_000, countVariable: "BACKPLANE_ROUTERS")
        var random = SeededGenerator(seed: run.seed)
        let templates: [LinkTemplate] = [
            "{a}/{b}?k={c}", "über/{a}/x?é={b}&d={c}", "myapp://{a}/{b}?c={c}",
            "https://campus.example:8080/{a}?b={b}&c={c}",
        ]
        for _ in 0..<run.count {
            await run.letOthersRun()
            let template = try #require(templates.randomElement(using: &random))
            var router = LinkRouter<Void>(maximumLength: .max)
            router.add(template, ())
            let values = ["a": Self.value(&random), "b": Self.value(&random), "c": Self.value(&random)]
            let link = try template.link(values)
            try #require(link.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(values), \(run)")
            guard case .match(_, let parameters) = router.match(link) else {
                Issue.record("\(values) in \(template), \(run)")
                return
            }
            for (name, value) in values {
                let read: String = try parameters[name]
                try #require(read.utf8.elementsEqual(value.utf8), "\(values) in \(template), \(run)")
            }
        }
    }

    /// Returns random text that a path can carry.
    private static func value(_ random: inout SeededGenerator) -> String {
        var value = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let highest: UInt32 = random.chance(60) ? 0x7F : 0x10FFFF
            guard let scalar = Unicode.Scalar(.random(in: 0x20...highest, using: &random)), scalar != "\\",
                scalar.properties.generalCategory != .control
            else { continue }
            value.append(scalar)
        }
        return ["", ".", ".."].contains(String(value)) ? "..." : String(value)
    }

    // MARK: - The reference

    /// Returns segments from a small alphabet, so that templates overlap; `nil` is a parameter.
    private static func shape(_ random: inout SeededGenerator) -> [String?] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            ["a", "b", "c", nil, nil].randomElement(using: &random) ?? nil
        }
    }

    private static func best(of shapes: Set<[String?]>, for path: [String]) -> [String?]? {
        shapes
            .filter { shape in shape.count == path.count && zip(shape, path).allSatisfy { $0 == nil || $0 == $1 } }
            .min { $0.map { $0 == nil ? 1 : 0 }.lexicographicallyPrecedes($1.map { $0 == nil ? 1 : 0 }) }
    }
}
