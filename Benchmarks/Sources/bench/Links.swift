import Backplane

/// A value that links have a parameter for.
private struct CourseID: RawRepresentable, LinkParameter {
    let rawValue: String
}

extension Operation {
    /// A link is looked up and its parameters are read: an identity of the path, and a number of the query.
    ///
    /// The links are 1,000 different ones in random order, spread over so many templates. Their text is as long with one
    /// template as it is with many.
    static func link(amongTemplates count: Int = 1) -> Operation {
        var router = LinkRouter<Int>(schemes: ["myapp"], hosts: ["campus.example"])
        for number in 0..<count {
            guard let template = try? LinkTemplate("\(Self.section(number))/{id}?page={page}") else {
                preconditionFailure("The benchmark's link template is none.")
            }
            router.add(template, number)
        }
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

    /// What stands in a template for one of up to 100,000 kinds of screens.
    private static func section(_ number: Int) -> String {
        let digits = String(number)
        return "course" + String(repeating: "0", count: 5 - digits.utf8.count) + digits
    }
}

extension LinkRouter<Int> {
    /// Something that depends on the destination and every parameter.
    fileprivate func read(_ link: String) -> Int {
        guard case .match(let destination, let parameters) = match(link),
            let id: CourseID = try? parameters["id"], let page: Int = try? parameters["page"]
        else { preconditionFailure("The benchmark's link leads nowhere.") }
        return destination &+ id.rawValue.utf8.count &+ page
    }
}
