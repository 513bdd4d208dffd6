import Backplane

/// A value for a parameter of a link.
private struct CourseID: RawRepresentable, LinkParameter {
    let rawValue: String
}

extension Operation {
    /// Looks up a link and reads its parameters: an ID in the path and a number in the query.
    ///
    /// The operation uses 1,000 different links in random order, spread over `count` templates. The
    /// links have the same length with one template and with many.
    static func link(amongTemplates count: Int = 1) -> Operation {
        var router = LinkRouter<Int>(schemes: ["myapp"], hosts: ["campus.example"])
        for number in 0..<count { router.add(template("\(Self.section(number))/{id}?page={page}"), number) }
        let links = (0..<1000).map { number in
            "myapp://\(Self.section(number * count / 1000))/abc\(number)?page=\(number)"
        }.shuffled()
        return Operation { count in
            var sum = 0
            var remaining = count
            while remaining > 0 {
                for link in links.prefix(remaining) { sum &+= router.read(link) }
                remaining -= links.count
            }
            consume(sum)
        }
    }

    /// Opens the slowest of several hostile links of 16 KiB, on a router with hostile templates.
    static func hostileLink() -> Operation {
        var router = LinkRouter<Int>(maximumLength: 16_384)
        // Each of 63 segments may be a parameter instead. So a link with "a" 63 times and then
        // another segment has 63 dead ends.
        for place in 0..<63 {
            let segments = (0..<63).map { $0 == place ? "{x}" : "a" }
            router.add(template("comb/\(segments.joined(separator: "/"))"), 0)
        }
        // Each of 8 segments may be a parameter or not, which makes 256 dead ends.
        for set in 0..<256 {
            let segments = (0..<8).map { set >> $0 & 1 == 0 ? "b" : "{x\($0)}" }
            router.add(template("all/\(segments.joined(separator: "/"))/end"), 0)
        }
        // The router searches the last of 8 keys among all keys of the query.
        let keys = (0..<8).map { "k\($0)={v\($0)}" }
        router.add(template("search/{x}?\(keys.joined(separator: "&"))"), 0)
        let links = [
            link("/", repeating: "a/"),
            link("/comb" + String(repeating: "/a", count: 62) + "/", repeating: "b"),
            link("/all" + String(repeating: "/b", count: 8) + "/", repeating: "c"),
            link("/search/", repeating: "%C3%A4"),
            link("/search/", repeating: "\u{E4}"),
            link("/search/a?", repeating: "a&"),
            link("/search/a?", repeating: "kx=%41&"),
            link("/search/a?", repeating: "%6b9&"),
            link("/search/a#", repeating: "?"),
            link("myapp:", repeating: "a"),
        ]
        let clock = ContinuousClock()
        let times = links.map { link in
            (0..<20).map { _ in clock.measure { router.open(link) } }.min() ?? .zero
        }
        let slowest = zip(links, times).max { $0.1 < $1.1 }?.0 ?? ""
        return Operation { count in
            for _ in 0..<count { router.open(slowest) }
        }
    }

    /// Returns a link of 16 KiB.
    private static func link(_ beginning: String, repeating piece: String) -> String {
        beginning + String(repeating: piece, count: (16_384 - beginning.utf8.count) / piece.utf8.count)
    }

    private static func template(_ text: String) -> LinkTemplate {
        do {
            return try LinkTemplate(text)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// Returns the segment in a template for one of up to 100,000 kinds of screens.
    private static func section(_ number: Int) -> String {
        let digits = String(number)
        return "course" + String(repeating: "0", count: 5 - digits.utf8.count) + digits
    }
}

extension LinkRouter<Int> {
    fileprivate func open(_ link: String) {
        if case .match(let destination, _) = match(link) { consume(destination) }
    }

    /// Returns a number that depends on the destination and on every parameter.
    fileprivate func read(_ link: String) -> Int {
        guard case .match(let destination, let parameters) = match(link),
            let id: CourseID = try? parameters["id"], let page: Int = try? parameters["page"]
        else { preconditionFailure("The link of the benchmark has no match.") }
        return destination &+ id.rawValue.utf8.count &+ page
    }
}
