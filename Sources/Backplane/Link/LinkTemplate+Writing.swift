extension LinkTemplate {
    /// Returns a link of this shape with the given parameter values.
    ///
    /// ```swift
    /// let course: LinkTemplate = "course/{id}?tab={tab}"
    /// try course.link(["id": "a/b"])                   // /course/a%2Fb
    /// try course.link(["id": "7", "tab": "to do"])     // /course/7?tab=to%20do
    /// ```
    ///
    /// The link is a bare path unless the template names its origin. A router reads exactly these
    /// values from it, unless the link is too long for that router or a more literal template
    /// matches it. A query parameter without a value is left out. All characters except ASCII
    /// letters, ASCII digits and `-._~` are percent-encoded as UTF-8.
    ///
    /// - Throws: ``LinkError`` if a path parameter has no value, if a value has no parameter, or if
    ///   no link can carry a value. No link can carry a control character or a backslash. No path
    ///   can carry an empty value, `.` or `..`.
    public func link(_ values: [String: String] = [:]) throws(LinkError) -> String {
        for name in values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw LinkError(.unknownParameter, "The link template \"\(self)\" has no parameter \"\(name)\".")
        }
        return try link { values[$0] }
    }

    /// Returns a link of this shape, with the values that `text` returns for the names.
    func link(_ text: (_ name: String) -> String?) throws(LinkError) -> String {
        var link = ""
        for segment in segments {
            link += "/"
            switch segment {
            case .literal(let literal): link += Self.encoded(literal)
            case .parameter(let name): link += Self.encoded(try pathValue(text(name), of: name))
            }
        }
        switch origin {
        case nil, .path: if link.isEmpty { link = "/" }
        // The first segment is at the position of the host, which has no slash before it.
        case .app(let scheme): link = "\(scheme)://\(link.dropFirst())"
        case .web(let scheme, let authority): link = "\(scheme)://\(authority.text(scheme: scheme))\(link)"
        }
        var mark = "?"
        for parameter in parameters {
            guard case .query(let key) = parameter.position, let value = text(parameter.name) else { continue }
            try refuseForbiddenCharacters(in: value, of: parameter.name)
            link += "\(mark)\(Self.encoded(key))=\(Self.encoded(value))"
            mark = "&"
        }
        return link
    }

    private func pathValue(_ value: String?, of name: String) throws(LinkError) -> String {
        guard let value else {
            throw LinkError(.missingParameter, "The link template \"\(self)\" needs a value for \"\(name)\".")
        }
        guard !value.isEmpty else {
            throw LinkError(
                .emptySegment,
                "The link template \"\(self)\" needs a value for \"\(name)\" that is not empty."
            )
        }
        guard value != ".", value != ".." else {
            throw LinkError(
                .dotSegment,
                "The value for \"\(name)\" of \"\(self)\" is '.' or '..', which no path can carry."
            )
        }
        try refuseForbiddenCharacters(in: value, of: name)
        return value
    }

    private func refuseForbiddenCharacters(in value: String, of name: String) throws(LinkError) {
        guard !Byte.hasForbiddenCharacters(Array(value.utf8)[...], allowingSpaces: true) else {
            throw LinkError(
                .forbiddenCharacter,
                "The value for \"\(name)\" of \"\(self)\" has a control character or a backslash. Remove it."
            )
        }
    }

    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if Byte.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [Byte.percent, Byte.hexDigit(byte >> 4), Byte.hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
