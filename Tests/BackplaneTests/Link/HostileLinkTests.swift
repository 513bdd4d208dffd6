import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// Hostile links on a motherboard, compared with an oracle.
@MainActor
struct HostileLinkTests {
    private static let templates: [LinkOracle.Template] = [
        .init(segments: [], keys: ["q"]),
        .init(segments: [nil], keys: []),
        .init(segments: ["course", nil], keys: []),
        .init(segments: [nil, nil], keys: ["q", "k"]),
        .init(segments: ["a", nil, "c", nil], keys: []),
        .init(segments: [nil, "b", nil, nil], keys: ["q"]),
        .init(segments: [nil, nil, "c"], keys: []),
        .init(segments: Array(repeating: nil, count: 64), keys: []),
    ]

    private let oracle = LinkOracle(
        templates: templates,
        schemes: ["myapp"],
        authorities: [
            "https://campus.example", "https://campus.example:443", "https://127.0.0.1:8080",
        ]
    )
    private let motherboard = Motherboard.onMain()
    private let journal = Journal()

    init() throws {
        motherboard.probe(.first) { [journal] _, template in journal.note("\(template)") }
        motherboard.allowLinks(schemes: ["myapp"], hosts: ["campus.example", "127.0.0.1:8080"])
    }

    @Test(.rule("B40")) func `no hostile link traps or leads to an unexpected destination`() async throws {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_LINKS")
        var values: [[UInt8]?] = []
        for (index, template) in Self.templates.enumerated() {
            let names = (0..<64).map { "p\($0)" }
            let path = zip(template.segments, names).map { $0 ?? "{\($1)}" }
            let query = template.keys.map { "\($0)={\($0)}" }
            let text = path.joined(separator: "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            let parameters = zip(template.segments, names).compactMap { $0 == nil ? $1 : nil } + template.keys
            motherboard.registerLink(try LinkTemplate(text), to: .first, parents: ["a"]) { link in
                values = try parameters.map { name in
                    let value: String? = try link[name]
                    return value.map { Array($0.utf8) }
                }
                return index
            }
        }

        var links = HostileLinks(seed: run.seed)
        var opened = 0
        var foreign = 0
        for number in 0..<run.count {
            await run.letOthersRun()
            let link = links.next()
            let expected = oracle.verdict(on: link)
            let result = motherboard.open(link)
            let parents = motherboard.parents(of: link)

            let found: LinkOracle.Verdict =
                switch result.result {
                case .opened: .leads(LinkOracle.Destination(template: journal.last, values: values))
                case .notAllowed: .isForeign
                default: .leadsNowhere
                }
            try #require(found == expected, "link \(number) \(link.debugDescription), \(result), \(run)")
            let isOpened = result == .opened
            try #require(parents == (isOpened ? ["/a"] : []), "link \(number) \(link.debugDescription), \(run)")
            if isOpened { opened += 1 }
            if result == .notAllowed { foreign += 1 }
            try #require(journal.lines.count == opened, "link \(number) \(link.debugDescription), \(run)")
        }
        #expect(opened > run.count / 20, "too few links are opened for a meaningful test, \(run)")
        #expect(foreign > run.count / 20, "too few links are foreign for a meaningful test, \(run)")
    }
}

extension Journal {
    fileprivate var last: Int { lines.last.flatMap { Int($0) } ?? -1 }
}
