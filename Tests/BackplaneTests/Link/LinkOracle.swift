/// An oracle that decides where a link leads by the documented rules of ``LinkRouter``.
///
/// The code is too simple to be fast or wrong. It works on Unicode scalars, so that canonical
/// equivalence and combining characters cannot confuse it.
struct LinkOracle {
    typealias Text = [Unicode.Scalar]

    struct Destination: Equatable {
        let template: Int
        /// The values by position as UTF-8, `nil` for a query parameter that the link does not
        /// have.
        let values: [[UInt8]?]
    }

    struct Template {
        /// The segments, `nil` for a parameter.
        let segments: [String?]
        let keys: [String]
    }

    enum Verdict: Equatable {
        case leads(Destination)
        /// The link is malformed, or matches no template.
        case leadsNowhere
        /// The link is well formed up to its path, and its scheme or host is not one of ours.
        case isForeign
    }

    private enum Origin {
        case ours(path: Text)
        case foreign
        case malformed
    }

    let templates: [Template]
    let schemes: Set<String>
    let authorities: Set<String>

    func verdict(on link: String) -> Verdict {
        guard link.utf8.count <= 8192, Self.isClean(link), !link.contains(" " as Unicode.Scalar) else {
            return .leadsNowhere
        }
        let withoutFragment = Self.cut(Text(link.unicodeScalars), at: "#").before
        let (hierarchy, query) = Self.cut(withoutFragment, at: "?")
        return switch origin(of: hierarchy) {
        case .ours(let path): destination(of: path, query).map(Verdict.leads) ?? .leadsNowhere
        case .foreign: .isForeign
        case .malformed: .leadsNowhere
        }
    }

    private func destination(of path: Text, _ query: Text?) -> Destination? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(Text.init)
        if path.first == "/" { parts.removeFirst() }
        if parts.last == [], parts.count > 1 || path.first == "/" || path.isEmpty { parts.removeLast() }
        let segments = parts.map(Self.decoded)
        guard segments.count <= 64, !segments.contains(where: { $0 == nil || ["", ".", ".."].contains($0) }) else {
            return nil
        }
        let items = (query ?? []).split(separator: "&").map { item in
            let (key, value) = Self.cut(Text(item), at: "=")
            return (key: Self.decoded(key), value: Self.decoded(value ?? []))
        }
        guard items.count <= 256, items.allSatisfy({ $0.key != nil && $0.value != nil }) else { return nil }

        let matching = templates.indices.filter { index in
            let shape = templates[index].segments
            return shape.count == segments.count
                && zip(shape, segments).allSatisfy { $0 == nil || Self.areSame($0, $1) }
        }
        // The most literal template has its parameters as late as possible.
        func literalness(_ index: Int) -> [Int] { templates[index].segments.map { $0 == nil ? 1 : 0 } }
        guard let best = matching.min(by: { literalness($0).lexicographicallyPrecedes(literalness($1)) }) else {
            return nil
        }
        let inPath = zip(templates[best].segments, segments).compactMap { $0 == nil ? $1 : nil }
        let inQuery = templates[best].keys.map { key in items.first { Self.areSame($0.key, key) }?.value }
        return Destination(template: best, values: (inPath + inQuery).map { $0.map { Array($0.utf8) } })
    }

    /// Returns whether a link belongs to one of our origins, and its path if it does.
    private func origin(of hierarchy: Text) -> Origin {
        if hierarchy.first == "/" {
            return hierarchy.starts(with: "//".unicodeScalars) ? .malformed : .ours(path: hierarchy)
        }
        let (name, rest) = Self.cut(hierarchy, at: ":")
        let letters = Set("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
        let digits = Set("0123456789".unicodeScalars)
        let scheme = Self.lowercased(name)
        guard let rest, let first = scheme.unicodeScalars.first, letters.contains(first),
            letters.union(digits).union("+-.".unicodeScalars).isSuperset(of: scheme.unicodeScalars)
        else { return .malformed }
        let afterSlashes = rest.starts(with: "//".unicodeScalars) ? Text(rest.dropFirst(2)) : nil
        let authority = afterSlashes.map { Text($0.prefix { $0 != "/" }) }
        if scheme == "https" || scheme == "http" {
            guard let afterSlashes, let authority else { return .malformed }
            let (host, port) = Self.cut(authority, at: ":")
            let hostCharacters = letters.union(digits).union("-._".unicodeScalars)
            guard !host.isEmpty, hostCharacters.isSuperset(of: Self.lowercased(host).unicodeScalars) else {
                return .malformed
            }
            if let port {
                guard digits.isSuperset(of: port), 1...5 ~= port.count, Int(Self.string(port)) ?? .max < 65_536 else {
                    return .malformed
                }
            }
            guard authorities.contains("\(scheme)://\(Self.lowercased(authority))") else { return .foreign }
            return .ours(path: Text(afterSlashes.dropFirst(authority.count)))
        }
        if authority?.contains(where: { $0 == "@" || $0 == ":" }) == true { return .malformed }
        return schemes.contains(scheme) ? .ours(path: afterSlashes ?? rest) : .foreign
    }

    private static func cut(_ text: Text, at separator: Unicode.Scalar) -> (before: Text, after: Text?) {
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(Text.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    private static func decoded(_ text: Text) -> String? {
        // Each part except the first begins with the text after a '%'.
        let parts = text.split(separator: "%", omittingEmptySubsequences: false).map { Text($0) }
        var bytes = Array(string(parts[0]).utf8)
        for part in parts.dropFirst() {
            let digits = part.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
                let byte = UInt8(string(Text(digits)), radix: 16)
            else { return nil }
            bytes.append(byte)
            bytes += string(Text(part.dropFirst(2))).utf8
        }
        var decoded = String.UnicodeScalarView()
        let isBad = transcode(bytes.makeIterator(), from: UTF8.self, to: UTF32.self, stoppingOnError: true) { unit in
            if let scalar = Unicode.Scalar(unit) { decoded.append(scalar) }
        }
        return isBad || !isClean(String(decoded)) ? nil : String(decoded)
    }

    private static func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\\" }
    }

    private static func areSame(_ a: String?, _ b: String?) -> Bool {
        a.map { Array($0.utf8) } == b.map { Array($0.utf8) }
    }

    /// Returns the text with its ASCII letters in lower case.
    private static func lowercased(_ text: Text) -> String {
        string(text.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 0x20) : $0 })
    }

    private static func string(_ text: Text) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text)
        return String(scalars)
    }
}

extension String {
    func contains(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
