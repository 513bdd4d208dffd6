/// Random choices.
extension ScriptGenerator {
    mutating func number(_ count: Int) -> Int {
        Int(random.next() % UInt64(count))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(elements.count)]
    }

    mutating func some<Element>(
        _ counts: ClosedRange<Int>,
        _ make: (inout ScriptGenerator) -> Element
    ) -> [Element] {
        (0..<counts.lowerBound + number(counts.count)).map { _ in make(&self) }
    }

    /// Returns an ID, of a scope too if the script has scopes.
    mutating func name() -> Name { pick(Name.plain + scopes) }

    mutating func plainName() -> Name { pick(Name.plain) }

    mutating func gateBoardName() -> Name { gateBoards.isEmpty ? plainName() : pick(gateBoards) }

    mutating func gatedName() -> Name { gated.isEmpty ? name() : pick(gated) }

    mutating func distinctNames(_ counts: ClosedRange<Int>) -> [Name] {
        Array((Name.plain + scopes).shuffled(using: &random).prefix(counts.lowerBound + number(counts.count)))
    }

    mutating func ending() -> Ending { pick([.done, .cancelled, .failed]) }

    mutating func value() -> Int { number(Self.values) }

    mutating func reference() -> Int { number(30) }
}
