import Backplane

/// A value for a parameter of a link.
private struct CourseID: RawRepresentable, LinkParameter {
    let rawValue: String
}

extension Operation {
    /// Opens a link: looks it up, reads its parameters (an ID in the path and a number in the
    /// query), and activates its board.
    ///
    /// The operation uses 1,000 different links in random order, spread over `count` templates. The
    /// links have the same length with one template and with many.
    static func link(amongTemplates count: Int = 1, on owner: any Actor) -> Operation {
        let motherboard = Motherboard(owner: owner)
        motherboard.allowLinks(schemes: ["myapp"], hosts: ["campus.example"])
        motherboard.register(course, Leaf.init)
        for number in 0..<count {
            motherboard.registerLink(template("\(Self.section(number))/{id}?page={page}"), to: course) { link in
                let id: CourseID = try link["id"]
                let page: Int = try link["page"]
                return number &+ id.rawValue.utf8.count &+ page
            }
        }
        let links = (0..<1000).map { number in
            "myapp://\(Self.section(number * count / 1000))/abc\(number)?page=\(number)"
        }.shuffled()
        precondition(motherboard.open(links[0]) == .opened, "The link of the benchmark has no match.")
        return Operation { count in
            var remaining = count
            while remaining > 0 {
                for link in links.prefix(remaining) { motherboard.open(link) }
                remaining -= links.count
            }
        }
    }

    /// Opens the slowest of several hostile links of 8 KiB, on a motherboard with hostile
    /// templates.
    static func hostileLink(on owner: any Actor) -> Operation {
        let motherboard = Motherboard(owner: owner)
        func add(_ text: String) { motherboard.registerLink(template(text), to: course) { _ in 0 } }
        // Each of 63 segments may be a parameter instead. So a link with "a" 63 times and then
        // another segment has 63 dead ends.
        for place in 0..<63 {
            let segments = (0..<63).map { $0 == place ? "{x}" : "a" }
            add("comb/\(segments.joined(separator: "/"))")
        }
        // Each of 8 segments may be a parameter or not, which makes 256 dead ends.
        for set in 0..<256 {
            let segments = (0..<8).map { set >> $0 & 1 == 0 ? "b" : "{x\($0)}" }
            add("all/\(segments.joined(separator: "/"))/end")
        }
        // The motherboard searches the last of 8 keys among all keys of the query.
        let keys = (0..<8).map { "k\($0)={v\($0)}" }
        add("search/{x}?\(keys.joined(separator: "&"))")
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
            (0..<20).map { _ in clock.measure { motherboard.open(link) } }.min() ?? .zero
        }
        let slowest = zip(links, times).max { $0.1 < $1.1 }?.0 ?? ""
        return Operation { count in
            for _ in 0..<count { motherboard.open(slowest) }
        }
    }

    /// Returns a link of 8 KiB.
    private static func link(_ beginning: String, repeating piece: String) -> String {
        beginning + String(repeating: piece, count: (8192 - beginning.utf8.count) / piece.utf8.count)
    }

    private static let course = BoardID<Counting>("course")

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
