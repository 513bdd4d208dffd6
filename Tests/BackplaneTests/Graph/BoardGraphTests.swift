import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.rule("B44"))
struct BoardGraphTests {
    let motherboard = Motherboard.onMain()

    private func edges(_ graph: BoardGraph) -> [String] {
        graph.edges.map { "\($0.from) \($0.kind) \($0.to)" }
    }

    @Test func `the graph contains registered boards and boards that are only mentioned`() {
        motherboard.probe(.first)
        motherboard.registerFlow(from: .second) { _, _ in }
        motherboard.activate(.first, with: 0)
        let graph = motherboard.graph()
        #expect(graph.nodes.map(\.board.name) == ["first", "second"])
        #expect(graph.nodes.map(\.isRegistered) == [true, false])
        #expect(graph.nodes.map(\.liveCount) == [1, 0])
        #expect(graph.edges.isEmpty, "the effects of a handler are not declared")
    }

    @Test func `flow steps, mappings and declared handlers are edges, each once`() {
        motherboard.registerFlowSteps(.first ->>> .second ->>> .third)
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.registerFlow(from: .words, to: .first) { Int($0) }
        motherboard.registerFlow(from: .figures, leadingTo: .words, .doorkeeper) { _, _ in }
        motherboard.registerCombinedFlow(.first, .words, leadingTo: .doorkeeper, .third) { _, _, _ in }
        motherboard.registerCombinedFlow(.second, .words, keepingLatest: true) { _, _, _ in }
        motherboard.remove(motherboard.registerFlowSteps(.second ->>> .first))
        #expect(
            edges(motherboard.graph()) == [
                "first flow second", "first combined doorkeeper", "first combined third", "second flow third",
                "words flow first", "words combined doorkeeper", "words combined third", "figures handler words",
                "figures handler doorkeeper",
            ]
        )
    }

    @Test(.rule("B19")) func `handlers with declared targets run, and combined ones keep their strategy`() {
        motherboard.echo(BoardID<Numbers>.first)
        motherboard.echo(BoardID<Words>.words)
        var handled: [String] = []
        motherboard.registerFlow(from: .first, leadingTo: .words) { output, motherboard in
            handled.append("\(output)")
            motherboard.activate(.words, with: "w")
        }
        motherboard.registerCombinedFlow(.first, .words, keepingLatest: true, leadingTo: .doorkeeper) {
            _,
            number,
            word in
            handled.append("\(number)\(word)")
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "x")
        #expect(handled == ["1", "1w", "1x"])
    }

    @Test func `gates are edges, and general gates come before a board's own gates`() {
        for id in [BoardID<Numbers>.first, .second, .third] { motherboard.probe(id) }
        motherboard.probe(.doorkeeper)
        motherboard.probe(.figures)
        motherboard.registerFlow(from: .words) { _, _ in }
        motherboard.gateAll(by: .doorkeeper, except: .third) { $0 ? .open : .closed }
        motherboard.gate(.second, by: .figures, with: 0) { _ in .open }
        #expect(
            edges(motherboard.graph()) == [
                "doorkeeper gate first", "doorkeeper gate second", "figures gate second", "doorkeeper gate figures",
            ]
        )
    }

    @Test func `a board's own gate is an edge even before a registration, and a general gate is not`() {
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.registerFlow(from: .second) { _, _ in }
        motherboard.gateAll(by: .figures, with: 0) { _ in .open }
        #expect(motherboard.graph().edges == [BoardGraph.Edge(from: .doorkeeper, to: .first, kind: .gate)])
    }

    @Test func `the graph shows links to unregistered boards, too`() {
        motherboard.registerLink("words/{text}", to: .words)
        motherboard.registerLink("", to: .doorkeeper)
        let graph = motherboard.graph()
        #expect(graph.links.map { "\($0.template) \($0.board)" } == ["words/{text} words", " doorkeeper"])
        #expect(graph.nodes.map(\.board.name) == ["words", "doorkeeper"])
    }

    @Test func `the graph contains the nested motherboards of live boards`() {
        motherboard.probe(.second)
        motherboard.probe(.first, reuse: .perActivation) { board, _ in
            board.inner.registerFlowSteps(.second ->>> .third)
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 0)
        let graph = motherboard.graph()
        #expect(graph.insides.map(\.board.description) == ["first#1", "first#2"])
        #expect(graph.insides.map { edges($0.graph) } == [["second flow third"], ["second flow third"]])
        #expect(graph.insides[0].graph.nodes.map(\.isRegistered) == [true, false], "inherited boards are registered")
    }

    @Test func `the graph is rendered as Mermaid`() {
        draw()
        #expect(
            motherboard.graph().mermaid == """
                flowchart LR
                    n0["first"]:::live
                    n1["say #34;hi#34;"]
                    n2["doorkeeper"]:::live
                    n3["second"]:::unregistered
                    n0 --> n3
                    n0 -- combined --> n3
                    n2 -. gate .-> n0
                    n1 -- combined --> n3
                    n2 -. gate .-> n1
                    nl0(["/first/{n}?a={b}"]) -.-> n0
                    nl1(["/"]) -.-> n2
                    nl2(["https://a.example/b"]) -.-> n2
                    subgraph ns0["first#35;3"]
                        ns0n0["second"]:::unregistered
                    end
                    classDef unregistered stroke-dasharray: 4
                    classDef live stroke-width: 3px

                """
        )
    }

    @Test func `the graph is rendered as DOT`() {
        draw()
        #expect(
            motherboard.graph().dot == #"""
                digraph boards {
                    rankdir=LR;
                    node [shape=box];
                    n0 [label="first", style=bold];
                    n1 [label="say \"hi\""];
                    n2 [label="doorkeeper", style=bold];
                    n3 [label="second", style=dashed];
                    n0 -> n3;
                    n0 -> n3 [label="combined"];
                    n2 -> n0 [label="gate", style=dashed];
                    n1 -> n3 [label="combined"];
                    n2 -> n1 [label="gate", style=dashed];
                    nl0 [label="/first/{n}?a={b}", shape=plaintext];
                    nl0 -> n0 [style=dotted];
                    nl1 [label="/", shape=plaintext];
                    nl1 -> n2 [style=dotted];
                    nl2 [label="https://a.example/b", shape=plaintext];
                    nl2 -> n2 [style=dotted];
                    subgraph cluster_ns0 {
                        label="first#3";
                        ns0n0 [label="second", style=dashed];
                    }
                }

                """#
        )
    }

    private func draw() {
        motherboard.probe(.first) { board, _ in board.inner.registerFlow(from: .second) { _, _ in } }
        motherboard.probe(BoardID<Words>("say \"hi\""))
        motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
        motherboard.gateAll(by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.registerCombinedFlow(.first, BoardID<Words>("say \"hi\""), leadingTo: .second) { _, _, _ in }
        motherboard.registerLink("first/{n}?a={b}", to: .first) { try $0["n"] }
        motherboard.registerLink("", to: .doorkeeper)
        motherboard.registerLink("https://a.example/b", to: .doorkeeper)
        motherboard.activate(.first, with: 0)
    }

    @Test func `special characters in names are escaped for Mermaid and DOT`() {
        let names = ["", "`md`", "\"\u{301}", "a\r\nb", "a\nb", "a\\", "<b>&#"]
        for name in names { motherboard.probe(BoardID<Words>(name)) }
        let graph = motherboard.graph()
        let label = { (line: Substring) in line.drop { $0 != "[" }.dropFirst(2).prefix { $0 != "]" }.dropLast() }
        #expect(
            graph.mermaid.split(separator: "\n").dropFirst().dropLast(2).map(label) == [
                " ", "#96;md#96;", "#34;\u{301}", "a#13;#10;b", "a#10;b", "a\\", "#60;b#62;#38;#35;",
            ]
        )
        for escaped in [#""""#, #""`md`""#, "\"\\\"\u{301}\"", "\"a\r\\nb\"", #""a\nb""#, #""a\\""#, #""<b>&#""#] {
            #expect(
                graph.dot.contains("[label=\(escaped), style=dashed];") || graph.dot.contains("[label=\(escaped)];")
            )
        }
    }

    @Test func `the graph of a nested motherboard shows inherited gates`() {
        motherboard.probe(.second)
        motherboard.probe(.figures)
        motherboard.gate(.second, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.gate(.doorkeeper, by: .figures, with: 0) { _ in .open }
        motherboard.probe(.doorkeeper)
        motherboard.probe(.first) { board, _ in board.inner.registerFlow(from: .second) { _, _ in } }
        motherboard.activate(.first, with: 0)
        let inside = motherboard.graph().insides.map(\.graph)
        #expect(inside.map { $0.nodes.map(\.board.name) } == [["second", "doorkeeper", "figures"]])
        #expect(inside.map(edges) == [["doorkeeper gate second", "figures gate doorkeeper"]])
        #expect(inside.map { $0.nodes.map(\.isRegistered) } == [[true, true, true]])
    }

    @Test func `boards appear in the order of their first mention, including general gate boards`() {
        motherboard.registerFlow(from: .figures, leadingTo: .words) { _, _ in }
        motherboard.registerFlow(from: .first, to: .second) { $0 }
        motherboard.gateAll(by: .doorkeeper) { $0 ? .open : .closed }
        #expect(
            motherboard.graph().nodes.map(\.board.name) == ["figures", "words", "first", "second", "doorkeeper"]
        )
    }
}
